import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficExport
import TrafficModel
import TrafficReports
import Wireweight
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Credentials of many kinds, sent by URLSession, must not be in what a monitor stores or reports.
@Suite(.oneAtATime) struct SecretsTests {
    @Test("nothing that a monitor stores, streams, reports or serves holds one of them, and sizes are exact")
    func nowhere() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ww-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = LoopbackOrigin(handler: PlantedSecret.response)
        try origin.start()
        defer { origin.stop() }
        var configuration = TrafficMonitor.Configuration(store: folder.appendingPathComponent("db").path)
        configuration.bodies = .first(bytes: 65_536)
        let monitor = try TrafficMonitor.start(configuration)
        let events = monitor.events()
        let session = URLSession(configuration: .ephemeral)
        for planted in Self.planted {
            _ = try await session.data(for: try Self.request(planted, origin))
        }
        session.invalidateAndCancel()
        // A request that fails, because its error quotes the URL.
        let failing = "http://ada:\(Self.planted[0].secret)@127.0.0.1:1/?token=\(Self.planted[0].secret)"
        _ = try? await URLSession(configuration: .ephemeral).data(from: try #require(URL(string: failing)))
        await monitor.flush()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            expectNone(in: try Data(contentsOf: folder.appendingPathComponent(name)), name)
        }
        let reading = try monitor.reading()
        for grouping in TrafficGrouping.allCases {
            let report = try TrafficReport(of: reading, by: grouping)
            expectNone(in: Data("\(report)\(report.table(TextStyle()))".utf8), "\(grouping)")
        }
        for format in ExportFormat.allCases {
            var content: [UInt8] = []
            var export = TrafficExport(format)
            export.includesBodies = format == .har
            _ = try export.write(of: reading, progress: { _ in }, to: { content += $0 })
            #expect(!content.isEmpty)
            expectNone(in: Data(content), "\(format)")
        }
        var sizes: [[Int64]] = []
        try reading.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
            if let response = exchange.response {
                sizes.append([exchange.request.size.known.bytes, response.size.known.bytes])
            }
            expectNone(in: Data("\(exchange)".utf8), "a row")
            return true
        }
        monitor.stop()
        for await event in events { expectNone(in: Data("\(event)".utf8), "an event") }
        #expect(origin.waitUntilIdle())
        let counted = origin.exchanges.map { [Int64($0.request.total), Int64($0.response.total)] }
        #expect(sizes.count == Self.planted.count + 1)
        #expect(
            sizes.sorted { $0[0] * 10_000 + $0[1] < $1[0] * 10_000 + $1[1] }
                == counted.sorted { $0[0] * 10_000 + $0[1] < $1[0] * 10_000 + $1[1] })
        let sent = origin.exchanges.map { Data($0.requestLog.kept + $0.responseLog.kept) }.reduce(Data(), +)
        let missing = Set(Self.planted.map(\.kind)).subtracting(PlantedSecret.found(in: sent))
        #expect(missing.isSubset(of: ["fragment", "user info"]), "never sent: \(missing)")
    }

    /// A response with trailers ends Foundation's own client on Linux.
    private static let planted = PlantedSecret.all.filter { planted in
        if case .trailer = planted.place { return false }
        return true
    }

    private static func request(_ planted: PlantedSecret, _ origin: LoopbackOrigin) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: planted.url(at: origin))))
        switch planted.place {
        case .field(let line):
            let parts = line.split(separator: ":", maxSplits: 1)
            request.setValue(parts[1].trimmingCharacters(in: .whitespaces), forHTTPHeaderField: String(parts[0]))
        case .body(let type, let body):
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        default: break
        }
        return request
    }

    private func expectNone(in data: Data, _ what: String) {
        let found = PlantedSecret.found(in: data)
        #expect(found.isEmpty, "\(what)")
    }
}
