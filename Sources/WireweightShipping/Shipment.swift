internal import Clocks
internal import Dispatch
internal import Foundation
internal import Locks
public import TrafficModel
internal import TrafficShipping
internal import TrafficStore

/// What a monitor has shipped so far; it goes on until the monitor stops.
public final class Shipment: Sendable {
    /// What has been sent, and what is in the way.
    public struct Status: Hashable, Sendable {
        /// Exchanges that the destination has accepted one by one.
        public internal(set) var exchanges: Int64 = 0
        /// The compressed content of the requests that the destination has accepted.
        public internal(set) var bytes = ByteCount.zero
        /// Rows that the destination has refused for good.
        public internal(set) var refusedRows: Int64 = 0
        /// Why the last attempt failed; nil if it succeeded.
        public internal(set) var lastError: String?
        /// Whether shipping has ended.
        public internal(set) var hasEnded = false
    }

    private let destination: any ShippingDestination
    private let current = Mutex(Status())
    private let isStopped = Mutex(false)
    private let stopping = DispatchSemaphore(value: 0)

    init(_ destination: any ShippingDestination) { self.destination = destination }

    /// What has been sent, and what is in the way.
    public var status: Status { current.withLock { $0 } }

    /// Ends shipping; what is left stays in the store.
    ///
    /// A request that is under way is cancelled. If its rows have arrived nevertheless, they are sent again and count once.
    public func stop() {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        stopping.signal()
        destination.cancel()
    }

    /// Ships from a store on a thread of its own, because sending blocks.
    func start(from path: String, _ options: ShippingOptions, _ mayShip: @escaping @Sendable () -> Bool) throws {
        // Opened here once, so that the caller learns what is wrong with it.
        try ShippingStore.open(path).close()
        let thread = Thread { [self] in
            do {
                try run(path, options, mayShip)
            } catch {
                current.withLock { $0.lastError = "\(error)" }
            }
            current.withLock { $0.hasEnded = true }
        }
        thread.name = "wireweight shipping"
        thread.qualityOfService = .utility
        thread.start()
    }

    private func run(_ path: String, _ options: ShippingOptions, _ mayShip: @escaping @Sendable () -> Bool) throws {
        let store = try ShippingStore.open(path)
        defer { try? store.close() }
        let surroundings = ShippingSurroundings(
            now: SystemClock.now, random: { Double.random(in: 0...1) }, wait: wait, mayShip: mayShip, say: take)
        let reader = try StoreReader.open(path)
        let shipper = try Shipper(from: store, reader, to: destination, options, follows: true, surroundings)
        try shipper.run()
    }

    // Not longer than a second at once, because a clock may be set back.
    private func wait(until time: Timestamp) -> Bool {
        while !isStopped.withLock({ $0 }) {
            let left = time.nanoseconds &- SystemClock.now().nanoseconds
            guard left > 0 else { return true }
            if stopping.wait(timeout: .now() + .nanoseconds(Int(min(left, 1_000_000_000)))) == .success { return false }
        }
        return false
    }

    private func take(_ news: ShippingNews) {
        current.withLock { status in
            switch news {
            case .progress(let tally):
                status.exchanges = tally.exchanges
                status.bytes = ByteCount(tally.bytes)
                status.lastError = nil
            case .retrying(let reason, _): status.lastError = reason
            case .setAside(let rows, let reason):
                status.refusedRows += rows
                status.lastError = reason
            case .budget: break
            }
        }
    }
}
