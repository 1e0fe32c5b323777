package import TrafficInspector
internal import TrafficStore
public import Wireweight

extension Recorder: RecordingControl {}

extension TrafficMonitor {
    /// Serves a page on this machine that shows the traffic live.
    ///
    /// ```swift
    /// print("traffic: \(try await monitor.startInspector())")
    /// ```
    ///
    /// The page is served until the monitor stops. On any address but loopback, a request needs the token that is part
    /// of the result.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 for any free one.
    ///   - address: the IP address to listen on.
    /// - Returns: the address to open in a browser.
    /// - Throws: ``MonitorError`` if the port is taken or the address is not one of this machine.
    @discardableResult
    public func startInspector(port: UInt16 = 0, address: String = "127.0.0.1") async throws(MonitorError) -> String {
        try await startInspector(port: port, address: address) { $0 }
    }

    /// Serves the page to those who shall reach it, such as the computer beside a phone.
    ///
    /// ```swift
    /// let address = try await monitor.startInspector(on: .localNetwork)
    /// print("traffic: \(address)\n\(InspectorCode(address))")
    /// ```
    ///
    /// On the local network each request needs the token that is part of the result. The traffic is not encrypted. On
    /// Apple platforms the page is also announced over Bonjour, without the token, under the name of the program. On
    /// iOS, the app must say why it uses the local network (`NSLocalNetworkUsageDescription`), and list `_http._tcp`
    /// in `NSBonjourServices`.
    ///
    /// - Parameters:
    ///   - reach: who reaches the page.
    ///   - port: the port to listen on; 0 for any free one.
    /// - Returns: the address to open in a browser.
    /// - Throws: ``MonitorError`` if this machine is in no local network, or the port is taken.
    public func startInspector(on reach: InspectorReach, port: UInt16 = 0) async throws(MonitorError) -> String {
        guard reach == .localNetwork else { return try await startInspector(port: port) }
        guard let address = LocalNetwork.address else {
            throw MonitorError(
                code: .cannotInspect,
                message: "this machine is in no local network; connect it, or name an address of it", cause: nil)
        }
        let inspector = try await inspector(port: port, address: address) { $0 }
        #if canImport(dnssd)
            if let service = BonjourService(port: inspector.port) { atStop { service.stop() } }
        #endif
        return inspector.url
    }

    /// Serves a page whose pause, resume and clear buttons use the caller's control.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 for any free one.
    ///   - address: the IP address to listen on.
    ///   - control: takes the control of the recording, and returns the one that the page uses.
    /// - Returns: the address to open in a browser.
    /// - Throws: ``MonitorError`` if the port is taken or the address is not one of this machine.
    package func startInspector(
        port: UInt16, address: String, control: (any RecordingControl) -> any RecordingControl
    ) async throws(MonitorError) -> String {
        try await inspector(port: port, address: address, control: control).url
    }

    private func inspector(
        port: UInt16, address: String, control: (any RecordingControl) -> any RecordingControl
    ) async throws(MonitorError) -> Inspector {
        var options = inspectorOptions
        options.address = address
        options.port = port
        // A page should show exchanges soon after they end.
        lowerLatency()
        do {
            let inspector = try await Inspector(
                try StoreReader.open(configuration.store, searchesOften: true),
                control: control(recorder), options: options)
            // What it serves is no traffic of the program's.
            let port = inspector.port
            Self.leaveOut(port: port)
            atStop {
                inspector.stop()
                Self.leaveOut(port: port, false)
            }
            return inspector
        } catch let error as InspectorError {
            throw MonitorError(code: .cannotInspect, message: error.description, cause: error)
        } catch {
            throw MonitorError(storing: error)
        }
    }

    /// The same page for a web view of this process, without a port.
    ///
    /// - Throws: ``MonitorError`` if the store cannot be opened.
    package func inspectorPage() throws(MonitorError) -> InspectorPage {
        lowerLatency()
        do {
            let reader = try StoreReader.open(configuration.store, searchesOften: true)
            return InspectorPage(reader, control: recorder, options: inspectorOptions)
        } catch {
            throw MonitorError(storing: error)
        }
    }

    /// Writes what is metered so far into a copy of the store, which is one file.
    ///
    /// - Parameter path: the file; what is there is replaced.
    /// - Throws: ``MonitorError`` if the file cannot be written.
    package func copyStore(to path: String) async throws(MonitorError) {
        await flush()
        do {
            try StoreReader.open(configuration.store).copy(to: path)
        } catch {
            throw MonitorError(storing: error)
        }
    }

    private var inspectorOptions: Inspector.Options {
        var options = Inspector.Options()
        options.file = configuration.store
        options.name = configuration.store.split(separator: "/").last.map(String.init) ?? configuration.store
        return options
    }
}
