internal import Foundation
package import TrafficModel
internal import TrafficReports

/// What the inspector can do to the one who records; absent where a file is only looked at.
package protocol RecordingControl: Sendable {
    /// Whether recording is stopped for now.
    var isPaused: Bool { get }
    /// Stops recording what begins from now on.
    func pause() async
    /// Goes on.
    func resume() async
    /// Deletes all exchanges and totals.
    func clear() async throws
}

/// Shows a store in a browser, live.
package final class Inspector: Sendable {
    /// Where and what.
    package struct Options: Sendable {
        /// The IP address to listen on.
        package var address = "127.0.0.1"
        /// The port; 0 for any that is free.
        package var port: UInt16 = 0
        /// What the page calls the store.
        package var name = ""
        /// The path by which the store can be opened again; nil where it goes with the program.
        package var file: String?
        /// Another store to compare with, before this one.
        package var before: (any TrafficBrowsing)?

        package init() {}
    }

    private let server: Server
    private let router: Router

    /// The address to open in a browser, with the token where one is needed.
    package let url: String

    /// Starts to listen and to answer.
    ///
    /// - Parameters:
    ///   - reading: the store.
    ///   - control: who records into it; nil where that is somebody else.
    ///   - options: where and what.
    /// - Throws: ``InspectorError``
    package init(
        _ reading: any TrafficBrowsing, control: (any RecordingControl)? = nil, options: Options = Options()
    ) async throws(InspectorError) {
        let server = try Server(address: options.address, port: options.port)
        let isLoopback = options.address == "::1" || options.address.hasPrefix("127.")
        let token = isLoopback ? nil : Self.makeToken()
        let router = Router(
            reading, control: control, options: options,
            access: AccessRules(address: options.address, port: server.port, token: token))
        let host = options.address.contains(":") ? "[\(options.address)]" : options.address
        self.server = server
        self.router = router
        url = "http://\(host):\(server.port)/" + (token.map { "?token=\($0)" } ?? "")
        do {
            try await server.run { await router.answer($0) }
        } catch {
            throw InspectorError("cannot serve pages: \(error)")
        }
    }

    /// Closes all connections and the port.
    package func stop() { server.stop() }

    /// 144 bits that nobody guesses.
    private static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }
}
