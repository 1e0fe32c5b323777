internal import RowBinary
internal import TrafficModel

// Functions, because a key path takes hundreds of instructions each time.
private typealias Part<Value> = (inout TrafficSums) -> Value
private typealias Change<Value> = (inout TrafficSums, Value) -> Void
// In place, because a histogram that is taken out and put back is copied.
private typealias Modification<Value> = @Sendable (inout TrafficSums, (inout Value) -> Void) -> Void

private let partNames = ["start_line", "fields", "cookies", "interim", "body", "framing", "captured", "unknown"]

private func columnsOfBuckets(_ name: String) -> [FleetColumn] {
    [FleetColumn("\(name)_bucket", .int16s), FleetColumn("\(name)_count", .int64s)]
}

// Of a histogram without buckets, the extremes mean nothing.
private func extreme(_ function: String, _ name: String, _ column: String) -> Aggregate {
    .extreme { "\(function)If(\($0("\(name)_\(column)")), notEmpty(\($0("\(name)_bucket"))))" }
}

extension FieldVisitor where Self: ~Copyable, Row == FleetSums {
    /// All columns of sums.
    @inline(__always)
    mutating func figures() {
        count("requests", { $0.requests }, { $0.requests = $1 })
        count("responses", { $0.responses }, { $0.responses = $1 })
        count("failures", { $0.failures }, { $0.failures = $1 })
        count("incomplete", { $0.incomplete }, { $0.incomplete = $1 })
        count("incomplete_unanswered", { $0.incompleteUnanswered }, { $0.incompleteUnanswered = $1 })
        count("not_modified", { $0.notModified }, { $0.notModified = $1 })
        count("new_connections", { $0.newConnections }, { $0.newConnections = $1 })
        count("reused_connections", { $0.reusedConnections }, { $0.reusedConnections = $1 })
        size("encoded_body", { $0.encodedBody }, { $0.encodedBody = $1 })
        size("decoded_body", { $0.decodedBody }, { $0.decodedBody = $1 })
        parts("up", { $0.up }, { $0.up = $1 })
        parts("down", { $0.down }, { $0.down = $1 })
        count("sharing", { $0.sharing }, { $0.sharing = $1 })
        size("overhead_up", { $0.overhead.up }, { $0.overhead.up = $1 })
        size("overhead_down", { $0.overhead.down }, { $0.overhead.down = $1 })
        size("packet_headers_up", { $0.packetHeaders.up }, { $0.packetHeaders.up = $1 })
        size("packet_headers_down", { $0.packetHeaders.down }, { $0.packetHeaders.down = $1 })
        int64(
            "first_us", { $0.sums.firstSeen.map(FleetNumbers.microseconds) ?? 0 },
            { $0.sums.firstSeen = FleetNumbers.moment($1) }, aggregate: .extreme { "min(\($0("first_us")))" })
        int64(
            "last_us", { $0.sums.lastSeen.map(FleetNumbers.microseconds) ?? 0 },
            { $0.sums.lastSeen = FleetNumbers.moment($1) }, aggregate: .extreme { "max(\($0("last_us")))" })
        histogram("latency", { $0.latency }) { $1(&$0.latency) }
        histogram("queue", { $0.phases.queue }) { $1(&$0.phases.queue) }
        histogram("dns", { $0.phases.dns }) { $1(&$0.phases.dns) }
        histogram("connect", { $0.phases.connect }) { $1(&$0.phases.connect) }
        histogram("tls", { $0.phases.tls }) { $1(&$0.phases.tls) }
        histogram("send", { $0.phases.send }) { $1(&$0.phases.send) }
        histogram("wait", { $0.phases.wait }) { $1(&$0.phases.wait) }
        histogram("receive", { $0.phases.receive }) { $1(&$0.phases.receive) }
        histogram("unattributed", { $0.phases.unattributed }) { $1(&$0.phases.unattributed) }
        weights("weight_up", { $0.perCall.up }) { $1(&$0.perCall.up) }
        weights("weight_down", { $0.perCall.down }) { $1(&$0.perCall.down) }
        weights("weight_total", { $0.perCall.total }) { $1(&$0.perCall.total) }
    }

    @inline(__always)
    private mutating func count(_ name: @autoclosure () -> String, _ get: Part<Int64>, _ set: Change<Int64>) {
        int64(name(), { get(&$0.sums) }, { set(&$0.sums, FleetNumbers.count($1)) })
    }

    @inline(__always)
    private mutating func size(_ name: @autoclosure () -> String, _ get: Part<ByteCount>, _ set: Change<ByteCount>) {
        int64(name(), { get(&$0.sums).bytes }, { set(&$0.sums, ByteCount($1)) })
    }

    @inline(__always)
    private mutating func parts(
        _ way: @autoclosure () -> String, _ get: Part<PartTotals>, _ set: Change<PartTotals>
    ) {
        field(
            partNames.map { FleetColumn("\(way())_\($0)", .int64) },
            aggregates: partNames.map { .sum("\(way())_\($0)") }
        ) {
            let parts = get(&$0.sums)
            $1.integer(parts.startLine.bytes)
            $1.integer(parts.fields.bytes)
            $1.integer(parts.cookies.bytes)
            $1.integer(parts.interim.bytes)
            $1.integer(parts.body.bytes)
            $1.integer(parts.framing.bytes)
            $1.integer(parts.captured.bytes)
            $1.integer(parts.unknown)
        } read: {
            var parts = PartTotals()
            parts.startLine = ByteCount($1.int64())
            parts.fields = ByteCount($1.int64())
            parts.cookies = ByteCount($1.int64())
            parts.interim = ByteCount($1.int64())
            parts.body = ByteCount($1.int64())
            parts.framing = ByteCount($1.int64())
            parts.captured = ByteCount($1.int64())
            parts.unknown = FleetNumbers.count($1.int64())
            set(&$0.sums, parts)
        }
    }

    @inline(__always)
    private mutating func histogram(
        _ name: @autoclosure () -> String, _ get: Part<LatencyHistogram>,
        _ modify: @escaping Modification<LatencyHistogram>
    ) {
        histogram(
            FleetHistogram(name: name()) { row, bucket, count in modify(&row.sums) { $0.add(count, read: bucket) } })
        field(
            columnsOfBuckets(name()) + [FleetColumn("\(name())_zero", .int64)],
            aggregates: [
                .buckets(name(), rest: "emptyArrayInt16(), emptyArrayInt64()"), .sum("\(name())_zero"),
            ]
        ) {
            let histogram = get(&$0.sums)
            $1.buckets(from: histogram.lowest, histogram.counts)
            $1.integer(histogram.zeroCount)
        } read: {
            let buckets = $1.int16s()
            let counts = $1.int64s()
            let zeroCount = $1.int64()
            modify(&$0.sums) { histogram in
                histogram = LatencyHistogram()
                histogram.addZeros(FleetNumbers.count(zeroCount))
                for (bucket, count) in zip(buckets, counts) { histogram.add(count, read: Int(bucket)) }
            }
        }
    }

    @inline(__always)
    private mutating func weights(
        _ name: @autoclosure () -> String, _ get: Part<ByteHistogram>, _ modify: @escaping Modification<ByteHistogram>
    ) {
        histogram(
            FleetHistogram(name: name()) { row, bucket, count in modify(&row.sums) { _ = $0.move(count, to: bucket) } })
        // All calls are in the lowest bucket until those of others are moved.
        field(
            columnsOfBuckets(name()) + ["least", "largest"].map { FleetColumn("\(name())_\($0)", .int64) },
            aggregates: [
                .buckets(name(), rest: "[toInt16(\(Int16.min))], [sum(arraySum(\(name())_count))]"),
                extreme("min", name(), "least"), extreme("max", name(), "largest"),
            ]
        ) {
            let histogram = get(&$0.sums)
            let isOneBucket = histogram.counts.isEmpty && histogram.count > 0
            $1.buckets(from: histogram.lowest, isOneBucket ? [histogram.count] : histogram.counts)
            $1.integer(histogram.least)
            $1.integer(histogram.largest)
        } read: {
            let buckets = $1.int16s()
            let counts = $1.int64s()
            let (least, largest) = ($1.int64(), $1.int64())
            modify(&$0.sums) { $0 = ByteHistogram(buckets, counts, least: least, largest: largest) }
        }
    }
}

extension RowBinaryWriter {
    /// The buckets that have counts, ascending, and their counts.
    fileprivate mutating func buckets(from lowest: Int, _ counts: [Int64]) {
        let used = counts.count { $0 > 0 }
        length(used)
        for (place, count) in counts.enumerated() where count > 0 { integer(Int16(clamping: lowest + place)) }
        length(used)
        for count in counts where count > 0 { integer(count) }
    }
}

extension LatencyHistogram {
    /// Adds what was read; a bucket that no duration has would make the histogram large.
    fileprivate mutating func add(_ count: Int64, read bucket: Int) {
        add(FleetNumbers.count(count), to: min(max(Self.durations.lowerBound, bucket), Self.durations.upperBound))
    }

    /// From less than a nanosecond to more than the longest duration.
    private static let durations = -1_024...1_024
}

extension ByteHistogram {
    /// The histogram with those counts of buckets and those extremes; counts that do not fit these are left out.
    fileprivate init(_ buckets: [Int16], _ counts: [Int64], least: Int64, largest: Int64) {
        let total = counts.prefix(buckets.count).reduce(Int64(0)) { $0.addingClamped(Swift.max(0, $1)) }
        self.init(count: total, least: Swift.max(0, Swift.min(least, largest)), largest: Swift.max(0, largest))
        for (bucket, count) in zip(buckets, counts) where Int(bucket) > lowest { _ = move(count, to: Int(bucket)) }
    }
}
