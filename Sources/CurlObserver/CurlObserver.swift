internal import CCurlTap
internal import CStreamHooks
internal import Clocks
internal import ConnectionAccounts
package import Observing
internal import Locks
package import TrafficModel

/// Meters what this process does through libcurl, which on Linux is every URLSession and all C code on libcurl, and if
/// requested all its other connections.
package final class CurlObserver: TrafficObserver {
    /// The reason why this process cannot be metered.
    package enum Refusal: Error, Hashable, CaseIterable {
        case alreadyStarted
        case noLibcurl
        case unknownLibcurl
        case noCallers
        case unsupportedPlatform
        case noMemory

        /// What is wrong.
        package var problem: String {
            switch self {
            case .alreadyStarted: "another monitor meters this process already"
            case .noLibcurl: "no shared libcurl is loaded in this process, so there is nothing to meter"
            case .unknownLibcurl:
                "the tap does not support the libcurl of this process: it is older than 7.61, newer than 8, or 7.64.1, "
                    + "which would print to standard error if it were metered"
            case .noCallers: "nothing in this process calls libcurl through the dynamic linker"
            case .unsupportedPlatform: "the tap runs on Linux on x86-64 and arm64 only"
            case .noMemory: "there is no memory or no thread for the tap"
            }
        }

        /// What to do about it.
        package var advice: String {
            switch self {
            case .alreadyStarted: "stop it first"
            case .noLibcurl: "use URLSession, or link libcurl as a shared library"
            case .unknownLibcurl: "use a libcurl from 7.61 to 8 other than 7.64.1"
            case .noCallers: "link libcurl as a shared library, not statically"
            case .unsupportedPlatform: "meter there, or observe `.taskMetrics` or `.urlProtocol` on Apple platforms"
            case .noMemory: "raise the limits of the process ('ulimit -a' shows them), or end other programs"
            }
        }

        /// What is wrong, and what to do about it.
        package var message: String { "\(problem); \(advice)" }
    }

    /// State shared by the drain thread and its owners.
    private struct State {
        var isStopping = false
        var hasLowLatency = false
        var isFinished = false
        var waiters: [@Sendable () -> Void] = []
    }

    private final class Shared: @unchecked Sendable {
        // The ring has a lock of its own and outlives the thread that reads it.
        let ring: OpaquePointer
        let state = Mutex(State())
        init(ring: OpaquePointer) { self.ring = ring }
        deinit { wwt_ring_destroy(ring) }
    }

    private let shared: Shared
    private let thread: JoinableThread
    private let ownership: ExchangeOwnership

    /// Starts to meter this process.
    ///
    /// - Parameters:
    ///   - output: the sink, which receives the events on a thread of the observer's own, and the numbers.
    ///   - ownership: the object that all observers of the process share.
    ///   - keepBody: how many bytes of each body to keep; 0 for none.
    ///   - digests: whether to compute digests of bodies.
    ///   - streams: whether to meter the connections that libcurl does not open, too. Then a process without a libcurl is
    ///     metered as well.
    ///   - bufferSize: how many bytes of frames may wait to be read.
    /// - Throws: ``Refusal``, and then nothing has changed.
    package init(
        output: ObserverOutput, ownership: ExchangeOwnership = ExchangeOwnership(), keepBody: Int = 0,
        digests: Bool = true, streams: Bool = false, bufferSize: Int = 4 << 20
    ) throws(Refusal) {
        guard let ring = wwt_ring_create(bufferSize) else { throw .noMemory }
        let shared = Shared(ring: ring)
        self.shared = shared
        self.ownership = ownership
        var settings = wwt_settings(
            emit: wwt_ring_emit, context: UnsafeMutableRawPointer(ring), keep_body: UInt32(clamping: keepBody),
            in_children: false, skips_digests: !digests)
        switch streams ? wws_start_in_process(&settings) : wwt_start(&settings) {
        case WWT_OK: break
        case WWT_ALREADY_STARTED: throw .alreadyStarted
        case WWT_NO_LIBCURL: throw .noLibcurl
        case WWT_UNKNOWN_LIBCURL: throw .unknownLibcurl
        case WWT_NO_CALLERS: throw .noCallers
        default: throw .unsupportedPlatform
        }
        thread = JoinableThread { Self.drain(shared, bufferSize: bufferSize, output: output) }
        guard thread.isRunning else {
            wwt_stop()
            throw .noMemory
        }
        ownership.enter(.libcurl)
    }

    /// Starts to meter this process as its only observer.
    package convenience init(sink: any TrafficSink) throws(Refusal) {
        try self.init(output: ObserverOutput(sink: sink))
    }

    /// Lowers reporting latency while a viewer is connected; costs extra wake-ups.
    package func lowerLatency() { shared.state.withLock { $0.hasLowLatency = true } }

    /// Calls `done` when everything that the tap has reported until now has reached the sink.
    package func flush(_ done: @escaping @Sendable () -> Void) {
        let isFinished = shared.state.withLock { state in
            if !state.isFinished { state.waiters.append(done) }
            return state.isFinished
        }
        if isFinished { done() } else { wwt_ring_wake(shared.ring) }
    }

    /// Stops metering: removes the hooks, sends the waiting events, and reports running exchanges as abandoned.
    package func stop() {
        let wasStopping = shared.state.withLock { state in
            defer { state.isStopping = true }
            return state.isStopping
        }
        guard !wasStopping else { return }
        wwt_stop()
        wwt_ring_wake(shared.ring)
        thread.join()
        ownership.leave(.libcurl)
    }

    /// Hooks a TLS library that is inside the executable, such as Swift's NIOSSL, for observers of streams.
    ///
    /// It can be done only while the process has one thread. Once done, it holds for the life of the process.
    ///
    /// - Returns: false if there is one that could not be hooked.
    package static func hookExecutable() -> Bool {
        _ = wws_hook_executable()
        return !wws_leaves_executable()
    }

    /// Leaves alone what this process serves at that port, or watches it again.
    package static func leaveOut(port: UInt16, _ isLeft: Bool = true) { wws_leave_port(port, isLeft) }

    /// The version that libcurl in this process reports; empty if there is none.
    package static var libcurlVersion: String { String(cString: wwt_libcurl_version()) }

    private static var localInterfaces: (any InterfaceLookup)? {
        #if os(Linux)
            LocalInterfaces()
        #else
            nil
        #endif
    }

    // MARK: the thread

    private static func drain(_ shared: Shared, bufferSize: Int, output: ObserverOutput) {
        let sink = output.sink
        let reader = TapReader(
            process: output.process, sink: sink, identifiers: output.identifiers, interfaces: localInterfaces,
            wallOffset: SystemClock.wallOffset)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 8)
        defer { buffer.deallocate() }
        var untapped: UInt64 = 0
        while true {
            // Waiters and `stop` change the state before the last read, so that read sees everything reported before.
            let (waiters, isStopping, hasLowLatency) = shared.state.withLock { state in
                defer { state.waiters = [] }
                return (state.waiters, state.isStopping, state.hasLowLatency)
            }
            let wait: UInt32 = waiters.isEmpty && !isStopping ? 500 : 0
            var count = read(shared.ring, into: buffer, wait: wait, gather: hasLowLatency ? 10 : 50)
            repeat {
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), reader, sink)
                if waiters.isEmpty && !isStopping { break }
                count = read(shared.ring, into: buffer, wait: 0, gather: 0)
            } while count > 0
            let lost = wwt_ring_take_lost(shared.ring)
            if lost > 0 {
                sink.record(.loss(TrafficLoss(reason: .bufferFull, count: Int64(clamping: lost))))
                reader.hasLost = true
            }
            let nowUntapped = wwt_untapped()
            if nowUntapped > untapped {
                sink.record(.loss(TrafficLoss(reason: .untapped, count: Int64(clamping: nowUntapped - untapped))))
                untapped = nowUntapped
            }
            if isStopping { reader.finish(at: SystemClock.monotonic()) } else { wwt_refresh() }
            for waiter in waiters { waiter() }
            if isStopping { break }
        }
        // The tap reports nothing after it has stopped, so callers that came meanwhile have nothing left to wait for.
        let late = shared.state.withLock { state in
            state.isFinished = true
            return state.waiters
        }
        for waiter in late { waiter() }
    }

    private static func read(
        _ ring: OpaquePointer, into buffer: UnsafeMutableRawBufferPointer, wait: UInt32, gather: UInt32
    ) -> Int {
        wwt_ring_read(ring, buffer.assumingMemoryBound(to: UInt8.self).baseAddress, buffer.count, wait, gather)
    }

    private static func take(_ bytes: UnsafeRawBufferPointer, _ reader: TapReader, _ sink: any TrafficSink) {
        do {
            try reader.take(bytes)
        } catch {
            // The ring has one writer, our own, so this is a defect. It is counted as a loss so that it is noticed.
            sink.record(.loss(TrafficLoss(reason: .malformed, count: 1)))
        }
    }
}
