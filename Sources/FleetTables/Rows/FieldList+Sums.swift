internal import RowBinary
internal import TrafficModel

extension FieldList<FleetSums> {
    private typealias Path<Value> = any WritableKeyPath<TrafficSums, Value> & Sendable

    /// All columns of sums.
    mutating func figures() {
        count("requests", \.requests)
        count("responses", \.responses)
        count("failures", \.failures)
        count("incomplete", \.incomplete)
        count("incomplete_unanswered", \.incompleteUnanswered)
        count("not_modified", \.notModified)
        count("new_connections", \.newConnections)
        count("reused_connections", \.reusedConnections)
        size("encoded_body", \.encodedBody)
        size("decoded_body", \.decodedBody)
        parts("up", \.up)
        parts("down", \.down)
        count("sharing", \.sharing)
        size("overhead_up", \.overhead.up)
        size("overhead_down", \.overhead.down)
        size("packet_headers_up", \.packetHeaders.up)
        size("packet_headers_down", \.packetHeaders.down)
        int64(
            "first_us", { $0.sums.firstSeen.map(FleetNumbers.microseconds) ?? 0 },
            { $0.sums.firstSeen = FleetNumbers.moment($1) }, aggregate: .extreme { "min(\($0("first_us")))" })
        int64(
            "last_us", { $0.sums.lastSeen.map(FleetNumbers.microseconds) ?? 0 },
            { $0.sums.lastSeen = FleetNumbers.moment($1) }, aggregate: .extreme { "max(\($0("last_us")))" })
        histogram("latency", \.latency)
        histogram("queue", \.phases.queue)
        histogram("dns", \.phases.dns)
        histogram("connect", \.phases.connect)
        histogram("tls", \.phases.tls)
        histogram("send", \.phases.send)
        histogram("wait", \.phases.wait)
        histogram("receive", \.phases.receive)
        histogram("unattributed", \.phases.unattributed)
        weights("weight_up", \.perCall.up)
        weights("weight_down", \.perCall.down)
        weights("weight_total", \.perCall.total)
    }

    private mutating func count(_ name: String, _ path: Path<Int64>) {
        int64(name, { $0.sums[keyPath: path] }, { $0.sums[keyPath: path] = max(0, $1) })
    }

    private mutating func size(_ name: String, _ path: Path<ByteCount>) {
        int64(name, { $0.sums[keyPath: path].bytes }, { $0.sums[keyPath: path] = ByteCount($1) })
    }

    private mutating func parts(_ way: String, _ path: Path<PartTotals>) {
        func add(_ name: String, _ part: any WritableKeyPath<PartTotals, ByteCount> & Sendable) {
            int64("\(way)_\(name)", { $0.sums[keyPath: path][keyPath: part].bytes }) {
                $0.sums[keyPath: path][keyPath: part] = ByteCount($1)
            }
        }
        add("start_line", \.startLine)
        add("fields", \.fields)
        add("cookies", \.cookies)
        add("interim", \.interim)
        add("body", \.body)
        add("framing", \.framing)
        add("captured", \.captured)
        int64("\(way)_unknown", { $0.sums[keyPath: path].unknown }) {
            $0.sums[keyPath: path].unknown = max(0, $1)
        }
    }

    private static func buckets(_ name: String) -> [FleetColumn] {
        [FleetColumn("\(name)_bucket", .int16s), FleetColumn("\(name)_count", .int64s)]
    }

    private mutating func histogram(_ name: String, _ path: Path<LatencyHistogram>) {
        let columns = Self.buckets(name) + [FleetColumn("\(name)_zero", .int64)]
        add(columns, aggregates: [.buckets(name), .sum("\(name)_zero")]) {
            let histogram = $0.sums[keyPath: path]
            $1.buckets(from: histogram.lowest, histogram.counts)
            $1.integer(histogram.zeroCount)
        } read: {
            let buckets: [Int16] = $1.array { $0.integer() }
            let counts: [Int64] = $1.array { $0.integer() }
            $0.sums[keyPath: path] = LatencyHistogram(
                buckets: Dictionary(zip(buckets, counts)) { $1 }, zeroCount: $1.integer())
        }
    }

    private mutating func weights(_ name: String, _ path: Path<ByteHistogram>) {
        func extreme(_ function: String, _ column: String) -> Aggregate {
            .extreme { "\(function)If(\($0("\(name)_\(column)")), notEmpty(\($0("\(name)_bucket"))))" }
        }
        add(
            Self.buckets(name) + ["least", "largest"].map { FleetColumn("\(name)_\($0)", .int64) },
            aggregates: [.buckets(name), extreme("min", "least"), extreme("max", "largest")]
        ) {
            let histogram = $0.sums[keyPath: path]
            let isOneBucket = histogram.counts.isEmpty && histogram.count > 0
            $1.buckets(from: histogram.lowest, isOneBucket ? [histogram.count] : histogram.counts)
            $1.integer(histogram.least)
            $1.integer(histogram.largest)
        } read: {
            let buckets: [Int16] = $1.array { $0.integer() }
            let counts: [Int64] = $1.array { $0.integer() }
            $0.sums[keyPath: path] = ByteHistogram(
                Array(zip(buckets, counts)), least: $1.integer(), largest: $1.integer())
        }
    }
}

extension RowBinaryWriter {
    /// The buckets that have counts, ascending, and their counts.
    fileprivate mutating func buckets(from lowest: Int, _ counts: [Int64]) {
        let used = counts.indices.filter { counts[$0] > 0 }
        array(used.map { Int16(clamping: lowest + $0) })
        array(used.map { counts[$0] })
    }
}

extension ByteHistogram {
    /// The histogram with those counts of buckets and those extremes; counts that do not fit these are left out.
    fileprivate init(_ buckets: [(bucket: Int16, count: Int64)], least: Int64, largest: Int64) {
        let total = buckets.reduce(Int64(0)) { sum, bucket in
            let (more, overflow) = sum.addingReportingOverflow(Swift.max(0, bucket.count))
            return overflow ? .max : more
        }
        self.init(count: total, least: Swift.max(0, Swift.min(least, largest)), largest: Swift.max(0, largest))
        for (bucket, count) in buckets where Int(bucket) > lowest { _ = move(count, to: Int(bucket)) }
    }
}
