import Foundation
import Testing
import WireweightTesting

/// What the tap allocates in a metered program: so much for an exchange, whatever its bodies are.
@Suite("allocations of the tap", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct AllocationTests {
    /// How many of a program's allocations the tap makes, by a library in front of malloc that knows them by their caller.
    private func allocations(_ words: [String]) throws -> Int {
        try withFolder { folder in
            let count = folder.appendingPathComponent("count").path
            let ended = try launch(
                [Built.command, "run", "--output", "/dev/null", "--"] + words,
                environment: ["LD_PRELOAD": try Built.program("outofmemory-shim"), "FAIL_COUNT": count])
            #expect(ended.status == 0, "\(ended)")
            let text = try String(contentsOfFile: count, encoding: .utf8)
            return try #require(text.split(separator: "\n").compactMap { Int($0) }.max())
        }
    }

    private func withOrigin<Result>(_ body: (String) throws -> Result) throws -> Result {
        let origin = LoopbackOrigin { request in
            let count = Int(request.path.dropFirst(3)) ?? 0
            switch request.path.prefix(3) {
            case "/c/":
                let sizes = [Int](repeating: 10, count: count / 10)
                return .respond(body: .chunked(Script.pattern(count: count), sizes: sizes))
            case "/u/": return Script([.readRequestBody]) + .respond(body: .text("took it"))
            default: return .respond(body: .fill(count))
            }
        }
        try origin.start()
        defer { origin.stop() }
        return try body(origin.address)
    }

    private static let quiet = ["curl", "-qsS", "-o", "/dev/null"]

    @Test("as many for 10 MiB as for 64 KiB")
    func largeBody() throws {
        try withOrigin { address in
            let small = try allocations(Self.quiet + ["\(address)/b/65536"])
            #expect(small > 0)
            #expect(try allocations(Self.quiet + ["\(address)/b/10485760"]) == small)
        }
    }

    @Test("as many for 10,000 chunks as for ten")
    func manyChunks() throws {
        try withOrigin { address in
            let small = try allocations(Self.quiet + ["\(address)/c/100"])
            #expect(try allocations(Self.quiet + ["\(address)/c/100000"]) == small)
        }
    }

    @Test("as many for an upload of 4 MiB as for one of 64 KiB")
    func upload() throws {
        try withFolder { folder in
            try withOrigin { address in
                let counts = try [65_536, 4 << 20].map { count in
                    let file = folder.appendingPathComponent("body-\(count)")
                    try Data(repeating: 0x78, count: count).write(to: file)
                    return try allocations(
                        Self.quiet + ["-H", "Expect:", "--data-binary", "@\(file.path)", "\(address)/u/"])
                }
                #expect(counts[0] > 0 && counts[0] == counts[1])
            }
        }
    }

    @Test("a handful for each exchange, for the twentieth as for the tenth")
    func manyExchanges() throws {
        try withOrigin { address in
            // So few that all their frames fit into the socket, even if the command sleeps meanwhile: what waits is
            // allocated, too.
            let counts = try [5, 15, 25].map { count in
                try allocations(
                    ["curl", "-qsS"]
                        + (0..<count).flatMap { _ in ["-o", "/dev/null", "\(address)/b/100"] })
            }
            // One for the handle, one for the transfer, one for its waiting frames; curl makes handles to spare.
            #expect(counts[1] - counts[0] <= 10 * 6, "\(counts)")
            #expect(counts[2] - counts[1] <= 10 * 6, "\(counts)")
        }
    }
}
