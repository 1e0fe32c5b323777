internal import TrafficModel
internal import TrafficOrigin

/// The server on this machine that answers canaries and logs every byte.
package final class CanaryOrigin: Sendable {
    /// The number of content bytes in each response: text in chunks of several sizes.
    package static let contentSize = 2_600

    private let origin = LoopbackOrigin(keptBytes: 256) { request in
        let chunks = Script.Body.chunked(Script.pattern(count: contentSize), sizes: [1, 16, 255, 2_000])
        // The response sets no cookie and cannot be cached, so the program's own cookies and cache do not change.
        let answer = Script.respond(fields: ["Content-Type: text/plain", "Cache-Control: no-store"], body: chunks)
        return request.value(of: "Expect") == nil ? answer : .interim("100 Continue") + answer
    }

    /// Starts to listen on a free port.
    ///
    /// - Throws: `OriginError` if no port is available.
    package init() throws { try origin.start() }

    /// The port that the origin listens on.
    package var port: Int { Int(origin.port) }

    /// The URL of the origin, without a slash at its end.
    package var address: String { origin.address }

    /// Waits until the origin has logged all exchanges that have started, three seconds at most.
    package func settle() { _ = origin.waitUntilIdle(seconds: 3) }

    /// Stops the origin; blocks until its last connection is closed.
    package func stop() { origin.stop() }

    /// The requests and bytes logged for a style; nil if no request came.
    package func count(of style: SelfTest.Style) -> SelfTest.Count? {
        let exchanges = origin.exchanges.filter { $0.target.hasPrefix(Self.path(of: style) + "/") }
        guard !exchanges.isEmpty else { return nil }
        return SelfTest.Count(
            exchanges: exchanges.count, up: ByteCount(exchanges.reduce(0) { $0 + $1.request.total }),
            down: ByteCount(exchanges.reduce(0) { $0 + $1.response.total }))
    }

    /// The path of a style's requests, without its last component.
    package static func path(of style: SelfTest.Style) -> String { "/canary/\(style.rawValue)" }
}
