/// Traffic by slots of time.
public struct TrafficTimeline: Hashable, Sendable {
    /// The traffic of the exchanges that began in one slot.
    public struct Slot: Hashable, Sendable {
        /// When the slot begins.
        public var begin: Timestamp
        /// How many requests.
        public var requests: Int64 = 0
        /// How many of them failed.
        public var failures: Int64 = 0
        /// Bytes of the requests.
        public var up = ByteCount.zero
        /// Bytes of the responses.
        public var down = ByteCount.zero

        /// A slot, which is empty unless its sums are given.
        package init(
            begin: Timestamp, requests: Int64 = 0, failures: Int64 = 0, up: ByteCount = .zero, down: ByteCount = .zero
        ) {
            self.begin = begin
            self.requests = requests
            self.failures = failures
            self.up = up
            self.down = down
        }

        /// Adds an exchange that has ended, or, without an end, one that is still running.
        package mutating func add(_ exchange: borrowing ExchangeFigures, end: ExchangeEnd?) {
            add(exchange, hasFailed: exchange.hasFailed(end))
        }

        /// Adds an exchange that has failed or not.
        package mutating func add(_ exchange: borrowing ExchangeFigures, hasFailed: Bool) {
            requests += 1
            if hasFailed { failures += 1 }
            up += exchange.up.known
            if exchange.hasResponse { down += exchange.down.known }
        }

        /// Adds the sums of another slot; ``begin`` does not change.
        package mutating func merge(_ other: Slot) {
            requests = requests.addingClamped(other.requests)
            failures = failures.addingClamped(other.failures)
            up += other.up
            down += other.down
        }
    }

    /// How long a slot is, in nanoseconds: whole minutes.
    public let step: Int64
    /// The slots without a gap, from the first with a request to the last; empty if there are no requests.
    public private(set) var slots: [Slot]

    private static let minute: Int64 = 60_000_000_000
    private static let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080]

    /// A timeline without traffic.
    public static let none = TrafficTimeline()

    private init() {
        step = Self.minute
        slots = []
    }

    /// Empty slots from one moment to another, as short as the limit allows.
    ///
    /// - Parameters:
    ///   - first: a moment in the first slot.
    ///   - last: a moment in the last one, not before the first.
    ///   - limit: the largest number of slots, at least 2.
    ///   - leastStep: the shortest slot, in minutes.
    package init(from first: Timestamp, to last: Timestamp, limit: Int, leastStep: Int64 = 1) {
        let limit = Int64(max(2, limit))
        func count(_ step: Int64) -> Int64 {
            Self.floor(last.nanoseconds, step) - Self.floor(first.nanoseconds, step) + 1
        }
        var step = Self.steps.last ?? 1
        if let fine = Self.steps.first(where: { $0 >= leastStep && count($0 * Self.minute) <= limit }) {
            step = fine
        } else {
            while count(step * Self.minute) > limit { step *= 2 }
        }
        self.step = step * Self.minute
        let begin = Self.floor(first.nanoseconds, self.step)
        slots = (0..<max(0, count(self.step))).map { [step = self.step] in
            Slot(begin: Timestamp(nanoseconds: (begin + $0) * step))
        }
    }

    /// Adds the sums of a slot to the slot in which it begins; outside all slots they are ignored.
    package mutating func add(_ sums: Slot) {
        guard let first = slots.first else { return }
        let index = Int(Self.floor(sums.begin.nanoseconds - first.begin.nanoseconds, step))
        if slots.indices.contains(index) { slots[index].merge(sums) }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-(value + 1)) / unit) - 1
    }
}
