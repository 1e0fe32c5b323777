internal import FleetTables
package import TrafficModel
package import TrafficStore

/// A place to which batches are sent.
package protocol ShippingDestination: Sendable {
    /// The address, by which a store knows the destination.
    var url: String { get }
    /// The host to which it sends, as reports name it.
    var authority: String { get }
    /// What it takes.
    var format: ShippingFormat { get }

    /// Sends a batch; blocks the thread.
    func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String)

    /// Fails what is under way and all further batches, as not reached.
    func cancel()
}

/// What a shipper does and does not do itself: time, chance, and what it says.
package struct ShippingSurroundings {
    /// Returns the time.
    package var now: () -> Timestamp
    /// Returns a number from 0 to 1.
    package var random: () -> Double
    /// Waits until that time; returns false if shipping is to stop.
    package var wait: (Timestamp) -> Bool
    /// Takes what should be said.
    package var say: (ShippingNews) -> Void
    /// Returns whether a batch may be sent now; it is asked before each.
    package var mayShip: () -> Bool

    package init(
        now: @escaping () -> Timestamp, random: @escaping () -> Double, wait: @escaping (Timestamp) -> Bool,
        mayShip: @escaping () -> Bool = { true }, say: @escaping (ShippingNews) -> Void
    ) {
        self.mayShip = mayShip
        self.now = now
        self.random = random
        self.wait = wait
        self.say = say
    }
}

/// What a shipper says while it works.
package enum ShippingNews: Hashable, Sendable {
    /// A batch was accepted: the counts of the whole work so far.
    case progress(ShippingTally)
    /// An attempt failed and will be repeated at that time.
    case retrying(because: String, at: Timestamp)
    /// A batch was set aside for good.
    case setAside(rows: Int64, because: String)
    /// The budget of the hour is used up; it goes on at that time.
    case budget(until: Timestamp)
}

/// What has been sent.
package struct ShippingTally: Hashable, Sendable {
    /// Rows that were accepted, by the target of their batches.
    package var rows: [String: Int64] = [:]
    /// Bytes of the bodies that were accepted, as sent.
    package var bytes: Int64 = 0
    /// Batches that were accepted.
    package var batches = 0

    /// Exchanges that were accepted one by one.
    package var exchanges: Int64 { (rows[FleetExchange.table.name] ?? 0) + (rows[ShippingFormat.spans] ?? 0) }

    package init() {}
}

/// Sends what a store has to a destination, and goes on where it stopped.
package final class Shipper {
    /// Why shipping ended before everything was sent.
    package enum Failure: Error, Hashable {
        /// The destination does not accept anything; what is left is kept.
        case stopped(String)
        /// The budget of the hour is used up until that time.
        case budget(until: Timestamp)
    }

    private let store: ShippingStore
    private let cutter: BatchCutter
    private let options: ShippingOptions
    private let destination: any ShippingDestination
    private let surroundings: ShippingSurroundings
    private let number: Int64
    private var schedule: ShippingSchedule
    private let follows: Bool
    /// What has been sent.
    package private(set) var tally = ShippingTally()

    /// A shipper from a store to a destination.
    ///
    /// - Parameters:
    ///   - store: the state of shipping.
    ///   - reader: the same store, to read it.
    ///   - destination: where to.
    ///   - options: what.
    ///   - follows: whether to go on when everything was sent, and never to give up.
    ///   - surroundings: time and chance.
    /// - Throws: ``StoreError``.
    package init(
        from store: ShippingStore, _ reader: StoreReader, to destination: any ShippingDestination,
        _ options: ShippingOptions, follows: Bool, _ surroundings: ShippingSurroundings
    ) throws {
        let widths = options.sums.widths
        number = try store.destination(destination.url, finest: widths.finest, coarsest: widths.coarsest).destination
        self.store = store
        self.options = options
        self.destination = destination
        self.surroundings = surroundings
        self.follows = follows
        cutter = BatchCutter(
            reader: reader, store: store, options: options, url: destination.url, format: destination.format)
        schedule = ShippingSchedule(mostAttempts: follows ? nil : Self.attempts)
    }

    // They take about a minute.
    private static let attempts = 7
    private static let pause: Int64 = 5_000_000_000

    /// Sends everything that there is; if it follows, until it is to stop.
    ///
    /// - Throws: ``StoreError``, ``Failure``.
    package func run() throws {
        var sumsAt = Timestamp(nanoseconds: .min)
        while true {
            let now = surroundings.now()
            let isTimeForSums = now >= sumsAt
            if isTimeForSums {
                sumsAt = Timestamp(nanoseconds: now.nanoseconds &+ options.interval.nanoseconds)
            }
            guard try round(withSums: isTimeForSums) else { return }
            guard follows, surroundings.wait(Timestamp(nanoseconds: now.nanoseconds &+ Self.pause)) else { return }
        }
    }

    // One round: what waits, then each step until it has nothing more; false if shipping is to stop.
    private func round(withSums: Bool) throws -> Bool {
        guard try sendPending() else { return false }
        for step in destination.format.steps {
            // These change with every exchange.
            if !withSums, step != .exchanges, step != .templates { continue }
            var hasMore = true
            while hasMore {
                hasMore = try cutter.cut(step, now: surroundings.now())
                guard try sendPending() else { return false }
            }
        }
        return true
    }

    private func sendPending() throws -> Bool {
        while let batch = try store.pending(for: number) {
            guard try waitForBudget(batch), waitForPermission() else { return false }
            let (outcome, message) = destination.send(batch)
            switch schedule.take(outcome, now: surroundings.now(), random: surroundings.random()) {
            case .acknowledge:
                try store.acknowledge(batch, of: number, hour: ShippingSchedule.hour(of: surroundings.now()))
                tally.rows[batch.target, default: 0] += batch.count
                tally.bytes += Int64(batch.body.count)
                tally.batches += 1
                surroundings.say(.progress(tally))
            case .halve:
                if let halves = ShippingFormat.halves(of: batch) {
                    try store.replace(batch, of: number, by: halves)
                } else {
                    try setAside(batch, message)
                }
            case .setAside: try setAside(batch, message)
            case .wait(let time):
                surroundings.say(.retrying(because: message, at: time))
                guard surroundings.wait(time) else { return false }
            case .stop: throw Failure.stopped(message)
            }
        }
        return true
    }

    private func setAside(_ batch: ShippingBatch, _ message: String) throws {
        try store.setAside(batch, of: number, because: message)
        surroundings.say(.setAside(rows: batch.count, because: message))
    }

    private func waitForPermission() -> Bool {
        while !surroundings.mayShip() {
            let time = Timestamp(nanoseconds: surroundings.now().nanoseconds &+ Self.pause)
            guard surroundings.wait(time) else { return false }
        }
        return true
    }

    private func waitForBudget(_ batch: ShippingBatch) throws -> Bool {
        while true {
            let state = try store.state(of: destination.url)
            let start = ShippingSchedule.start(
                of: batch.body.count, after: state.bytesOfHour, in: state.hour, budget: options.bytesPerHour,
                now: surroundings.now())
            guard let start else { return true }
            guard follows else { throw Failure.budget(until: start) }
            surroundings.say(.budget(until: start))
            guard surroundings.wait(start) else { return false }
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
