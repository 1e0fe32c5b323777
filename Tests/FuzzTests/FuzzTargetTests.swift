import Foundation
import Fuzz
import Testing

/// The targets of the fuzzer with their seeds, and with each input that once was a finding.
@Suite("What fuzzed machines hold") struct FuzzTargetTests {
    @Test("for their seeds, in splits of every kind, and cut anywhere", arguments: FuzzTarget.all.map(\.name))
    func seeds(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = target.seeds()
        #expect(seeds.count > 2)
        for seed in seeds {
            for split in [0, 1, 7, 200] as [UInt8] { try target.run([split] + seed.dropFirst()) }
            for end in stride(from: 0, to: seed.count, by: max(1, seed.count / 50)) {
                try target.run(Array(seed[..<end]))
            }
        }
    }

    @Test("for what was found once", arguments: try findings())
    func finding(_ finding: Finding) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == finding.target })
        try target.run(Array(Data(contentsOf: finding.file)))
    }

    struct Finding: Sendable, CustomTestStringConvertible {
        var target: String
        var file: URL
        var testDescription: String { "\(target)/\(file.lastPathComponent)" }
    }

    /// `Findings/TARGET/NAME`, beside this file.
    static func findings() throws -> [Finding] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Findings")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { $0.contains("/") }.sorted().map { name in
            Finding(target: String(name.prefix { $0 != "/" }), file: folder.appendingPathComponent(name))
        }
    }
}
