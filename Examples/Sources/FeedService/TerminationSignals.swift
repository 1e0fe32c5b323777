import Dispatch
import Foundation

/// Waits for the signals that request a process to end: SIGTERM from a supervisor, SIGINT from a terminal.
struct TerminationSignals {
    private let arrived: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Takes over the signals, so that they no longer end the process by themselves.
    init() {
        let (arrived, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.arrived = arrived
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Waits for the first of the signals.
    func first() async {
        for await _ in arrived { return }
    }
}
