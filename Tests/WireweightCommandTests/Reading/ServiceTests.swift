import Foundation
import Testing
import WireweightTesting

/// Two servers on this machine, and targets that are no paths, through the command.
@Suite("Services of one machine", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct ServiceTests {
    private func run(_ words: String...) throws -> String {
        let ended = try launch([Built.command] + words)
        #expect(ended.status == 0, "\(ended)")
        return ended.outputText
    }

    @Test("two servers are two rows everywhere; a tunnel and '*' have URLs")
    func services() throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (try Site.makeOrigin(), try Site.makeOrigin())
        let proxy = LoopbackOrigin { .respond(body: .text($0.method == "CONNECT" ? "" : "through")) }
        try proxy.start()
        defer { for origin in [first, second, proxy] { origin.stop() } }
        let file = folder.appendingPathComponent("traffic.db").path
        let null = ["-o", "/dev/null"]
        let metered = try launch(
            [Built.command, "run", "--db", file, "--", "curl", "-q", "-sS"] + null
                + ["\(first.address)/x.json?page=1", "--next", "-q", "-sS"] + null
                + ["\(second.address)/x.json?page=2", "--next", "-q", "-sS"] + null
                + ["-X", "OPTIONS", "--request-target", "*", first.address, "--next", "-q", "-sS"] + null
                + ["-p", "-x", proxy.address, "http://h:2/t"])
        #expect(metered.status == 0, "\(metered)")

        let hosts = try run("report", file, "--by", "host", "--format", "csv")
        #expect(hosts.contains("\(first.authority),2,"), "\(hosts)")
        #expect(hosts.contains("\(second.authority),1,"), "\(hosts)")
        let apis = try run("report", file, "--format", "csv")
        for name in [
            "GET,\(first.authority),/x.json,", "GET,\(second.authority),/x.json,", "OPTIONS,\(first.authority),*,",
            "CONNECT,h:2,h:2,", "GET,h:2,/t,",
        ] {
            #expect(apis.contains("\n\(name)"), "\(name) \(apis)")
        }

        let list = try run("exchanges", file)
        for text in [
            "\(first.address)/x.json?page=1  ", "\(second.address)/x.json?page=2  ", "OPTIONS  ",
            "\(first.address)  ", "CONNECT  ", " http://h:2  ", " http://h:2/t  ",
        ] {
            #expect(list.contains(text), "\(text) \(list)")
        }
        #expect(list.split(separator: "\n").allSatisfy { $0.count < 160 }, "\(list)")
        let one = try run("exchanges", file, "--host", second.authority, "--format", "ndjson")
        #expect(one.split(separator: "\n").count == 1)
        #expect(one.contains("\"authority\":\"\(second.authority)\""))
        let any = try run("exchanges", file, "--host", "127.0.0.1", "--format", "ndjson")
        #expect(any.split(separator: "\n").count == 3)
    }
}
