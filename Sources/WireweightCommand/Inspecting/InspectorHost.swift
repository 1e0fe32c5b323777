import ArgumentParser
import ClickHouse
import Dispatch
import Locks
import TrafficInspector
import TrafficModel
import WireweightInspector

/// The options for the address and port of the page.
struct InspectorPlace: ParsableArguments {
    @Option(help: ArgumentHelp("The page's port; 0 for any that is free.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The IP address to serve the page on.",
            discussion: "With 0.0.0.0, other machines can open it if they have the token that is printed.",
            valueName: "address"))
    var address = "127.0.0.1"

    /// The options of an inspector that shows a file.
    func options(for file: String) -> Inspector.Options {
        var options = Inspector.Options()
        options.port = port
        options.address = address
        options.name = file.split(separator: "/").last.map(String.init) ?? file
        // A fleet has no file beside which marks could be kept.
        options.file = FleetURL.isMeant(by: file) ? nil : file
        return options
    }
}

/// Runs an inspector from code that is not asynchronous.
struct InspectorHost {
    private let inspector: Inspector
    /// Whether other machines can reach the page.
    private let isShared: Bool
    private let isOnAllAddresses: Bool

    init(
        _ reading: any TrafficBrowsing, control: (any RecordingControl)?, options: Inspector.Options
    ) throws {
        isShared = !options.isLoopback
        isOnAllAddresses = options.address == "0.0.0.0"
        inspector = try Self.wait { () async throws -> Inspector in
            try await Inspector(reading, control: control, options: options)
        }
    }

    /// Prints the page's address on standard error; on a terminal also as a code for a phone, if phones can reach it.
    func announce() {
        Terminal.note("open \(url) in a browser; Ctrl-C ends it")
        guard isShared, !(isOnAllAddresses && LocalNetwork.address == nil), let code = QRCode(url) else { return }
        Terminal.draw(code.terminalLines, width: code.terminalWidth)
    }

    /// The address of the page, to open in a browser; if it listens on all addresses, one that others can reach.
    var url: String {
        guard isOnAllAddresses, let own = LocalNetwork.address else { return inspector.url }
        return inspector.url(at: own)
    }

    func stop() { inspector.stop() }

    /// Runs asynchronous work to its end; the command's own thread has nothing else to do.
    static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task.detached {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the result is there") }
        return try outcome.get()
    }
}
