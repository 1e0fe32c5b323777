internal import Foundation
package import TrafficModel

/// How the inspector controls recording; absent if it only shows a file.
package protocol RecordingControl: Sendable {
    /// Whether recording is paused.
    var isPaused: Bool { get }
    /// Stops recording requests that start from now on.
    func pause() async
    /// Resumes recording.
    func resume() async
    /// Deletes all exchanges and totals.
    func clear() async throws
}

/// Who may use the proxy whose traffic is shown; absent if there is none.
package protocol DeviceAdmission: Sendable {
    /// The addresses of devices that asked and were refused, in the order in which they came.
    var asking: [String] { get }
    /// Lets one of them in; false if it does not ask, or cannot be let in.
    func admit(_ device: String) -> Bool
}

/// Shows a store live in a browser.
package final class Inspector: Sendable {
    /// The address to listen on, and what the page shows.
    package struct Options: Sendable {
        /// The IP address to listen on.
        package var address = "127.0.0.1"
        /// The port; 0 for any that is free.
        package var port: UInt16 = 0
        /// The name of the store on the page.
        package var name = ""
        /// The path of the store's file; nil if the store ends with the program.
        package var file: String?
        /// Other files that the page may open and compare with; nil for none.
        package var files: (any OtherFiles)?
        /// Lets devices in that ask to use the proxy; nil if there is none.
        package var devices: (any DeviceAdmission)?

        /// Whether only this machine can reach the address.
        package var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

        package init() {}
    }

    private let server: Server
    private let router: Router

    private let address: String
    private let token: String?

    /// The port that it listens on.
    package let port: UInt16

    /// The URL to open in a browser, with the token if one is needed.
    package var url: String { url(at: address) }

    /// The same with another address of this machine.
    package func url(at address: String) -> String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "http://\(host):\(port)/" + (token.map { "?token=\($0)" } ?? "")
    }

    /// Starts listening and responding.
    ///
    /// - Parameters:
    ///   - reading: the store.
    ///   - control: controls recording into the store; nil if another process records.
    ///   - options: the address to listen on, and what the page shows.
    /// - Throws: ``InspectorError``
    package init(
        _ reading: any TrafficBrowsing, control: (any RecordingControl)? = nil, options: Options = Options()
    ) async throws(InspectorError) {
        let server = try Server(address: options.address, port: options.port)
        let token = options.isLoopback ? nil : Self.makeToken()
        let router = Router(
            reading, control: control, options: options,
            access: AccessRules(address: options.address, port: server.port, token: token))
        self.server = server
        self.router = router
        self.token = token
        address = options.address
        port = UInt16(truncatingIfNeeded: server.port)
        do {
            try await server.run { await router.answer($0) }
            // The first visit need not wait until the page is put together.
            Task.detached(priority: .utility) { _ = PageAssets.all }
        } catch {
            throw InspectorError("cannot serve pages: \(error)", advice: "start the inspector again, on another port")
        }
    }

    /// Closes all connections and the port.
    package func stop() {
        server.stop()
        router.files.close()
    }

    /// A random token of 144 bits, which cannot be guessed.
    private static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }
}
