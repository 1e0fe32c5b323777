internal import TrafficModel
internal import TrafficOrigin

/// The server on this machine that canaries go to; it logs every byte.
package final class CanaryOrigin: Sendable {
    /// What comes behind a request for it: text in chunks of several sizes.
    package static let contentSize = 2_600

    private let origin = LoopbackOrigin(keptBytes: 256) { request in
        let chunks = Script.Body.chunked(Script.pattern(count: contentSize), sizes: [1, 16, 255, 2_000])
        // No cookie, and nothing to be cached: what a program keeps for itself stays as it was.
        let answer = Script.respond(fields: ["Content-Type: text/plain", "Cache-Control: no-store"], body: chunks)
        return request.value(of: "Expect") == nil ? answer : .interim("100 Continue") + answer
    }

    /// Begins to listen.
    ///
    /// - Throws: `OriginError` where this machine gives no port.
    package init() throws { try origin.start() }

    /// The port.
    package var port: Int { Int(origin.port) }

    /// The address, without a slash at its end.
    package var address: String { origin.address }

    /// Waits until all that has begun is logged.
    package func settle() { _ = origin.waitUntilIdle(seconds: 3) }

    /// Ends it; blocks until its last connection is closed.
    package func stop() { origin.stop() }

    /// What it has logged of a style; nil where nothing came.
    package func count(of style: SelfTest.Style) -> SelfTest.Count? {
        let exchanges = origin.exchanges.filter { $0.target.hasPrefix(Self.path(of: style) + "/") }
        guard !exchanges.isEmpty else { return nil }
        return SelfTest.Count(
            exchanges: exchanges.count, up: ByteCount(exchanges.reduce(0) { $0 + $1.request.total }),
            down: ByteCount(exchanges.reduce(0) { $0 + $1.response.total }))
    }

    /// Where the requests of a style go, without the last part of their path.
    package static func path(of style: SelfTest.Style) -> String { "/canary/\(style.rawValue)" }
}
