internal import TrafficModel

extension TrafficSums {
    private static let parts = ["start_line", "fields", "cookies", "interim", "body", "framing", "captured", "unknown"]
    private static let names =
        [
            "requests", "responses", "failures", "incomplete", "incomplete_unanswered", "not_modified",
            "new_connections", "reused_connections", "encoded_body", "decoded_body",
        ]
        + ["up", "down"].flatMap { way in parts.map { "\(way)_\($0)" } } + [
            "sharing", "overhead_up", "overhead_down", "packet_headers_up", "packet_headers_down", "first_seen",
            "last_seen", "latencies",
        ]

    /// The columns of sums after `slot` and `kind`, in the order in which ``bind(to:first:sink:)`` writes and
    /// ``merge(row:first:)`` reads them.
    static let columns = names.joined(separator: ", ")

    /// Sets these columns of a row that is there already to the values that were to be inserted.
    static let assignments = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    /// The number of these columns.
    static let columnCount = names.count

    /// The sums of a row.
    init(row: PreparedStatement, first: Int32) {
        self.init()
        merge(row: row, first: first)
    }

    /// Adds the sums of a row.
    mutating func merge(row: PreparedStatement, first: Int32) {
        func count(_ place: Int32) -> Int64 { Plausible.count(row.int(first + place)) }
        func bytes(_ place: Int32) -> ByteCount { ByteCount(count(place)) }
        requests += count(0)
        responses += count(1)
        failures += count(2)
        incomplete += count(3)
        incompleteUnanswered += count(4)
        notModified += count(5)
        newConnections += count(6)
        reusedConnections += count(7)
        encodedBody += bytes(8)
        decodedBody += bytes(9)
        up.merge(row: row, first: first + 10)
        down.merge(row: row, first: first + 18)
        sharing += count(26)
        overhead += ByteFlow(up: bytes(27), down: bytes(28))
        packetHeaders += ByteFlow(up: bytes(29), down: bytes(30))
        see(
            from: Timestamp(microseconds: row.int(first + 31)), to: Timestamp(microseconds: row.int(first + 32)))
        var reader = ByteReader(row.bytes(first + 33))
        latency.merge(encoded: &reader)
        phases.queue.merge(encoded: &reader)
        phases.dns.merge(encoded: &reader)
        phases.connect.merge(encoded: &reader)
        phases.tls.merge(encoded: &reader)
        phases.send.merge(encoded: &reader)
        phases.wait.merge(encoded: &reader)
        phases.receive.merge(encoded: &reader)
        phases.unattributed.merge(encoded: &reader)
        perCall.merge(encoded: &reader)
    }

    /// Binds the sums to the parameters of a statement.
    ///
    /// - Parameters:
    ///   - statement: a statement with parameters for ``columns``.
    ///   - first: the number of the first of these parameters.
    ///   - sink: keeps the histograms until the statement has run.
    func bind(to statement: PreparedStatement, first: Int32, sink: ByteSink) {
        statement.bind(first, requests)
        statement.bind(first + 1, responses)
        statement.bind(first + 2, failures)
        statement.bind(first + 3, incomplete)
        statement.bind(first + 4, incompleteUnanswered)
        statement.bind(first + 5, notModified)
        statement.bind(first + 6, newConnections)
        statement.bind(first + 7, reusedConnections)
        statement.bind(first + 8, encodedBody.bytes)
        statement.bind(first + 9, decodedBody.bytes)
        up.bind(to: statement, first: first + 10)
        down.bind(to: statement, first: first + 18)
        statement.bind(first + 26, sharing)
        statement.bind(first + 27, overhead.up.bytes)
        statement.bind(first + 28, overhead.down.bytes)
        statement.bind(first + 29, packetHeaders.up.bytes)
        statement.bind(first + 30, packetHeaders.down.bytes)
        statement.bind(first + 31, firstSeen?.microseconds ?? .max)
        statement.bind(first + 32, lastSeen?.microseconds ?? .min)
        sink.cut(to: 0)
        latency.append(to: sink)
        phases.queue.append(to: sink)
        phases.dns.append(to: sink)
        phases.connect.append(to: sink)
        phases.tls.append(to: sink)
        phases.send.append(to: sink)
        phases.wait.append(to: sink)
        phases.receive.append(to: sink)
        phases.unattributed.append(to: sink)
        perCall.append(to: sink)
        statement.bind(first + 33, sink, 0..<sink.count)
    }
}

extension PartTotals {
    /// Binds the eight columns of one direction.
    func bind(to statement: PreparedStatement, first: Int32) {
        statement.bind(first, startLine.bytes)
        statement.bind(first + 1, fields.bytes)
        statement.bind(first + 2, cookies.bytes)
        statement.bind(first + 3, interim.bytes)
        statement.bind(first + 4, body.bytes)
        statement.bind(first + 5, framing.bytes)
        statement.bind(first + 6, captured.bytes)
        statement.bind(first + 7, unknown)
    }

    /// Adds the eight columns of one direction.
    mutating func merge(row: PreparedStatement, first: Int32) {
        func bytes(_ place: Int32) -> ByteCount { ByteCount(Plausible.count(row.int(first + place))) }
        startLine += bytes(0)
        fields += bytes(1)
        cookies += bytes(2)
        interim += bytes(3)
        body += bytes(4)
        framing += bytes(5)
        captured += bytes(6)
        unknown += Plausible.count(row.int(first + 7))
    }
}
