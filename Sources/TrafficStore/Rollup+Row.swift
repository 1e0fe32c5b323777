internal import TrafficModel

extension Rollup {
    /// The columns behind `slot` and `api`, in the order in which ``init(row:first:)`` and ``bind(to:first:)`` take
    /// them.
    static let columns = """
        requests, responses, failures,
        up_start_line, up_fields, up_cookies, up_interim, up_body, up_framing, up_captured,
        down_start_line, down_fields, down_cookies, down_interim, down_body, down_framing, down_captured,
        first_seen, last_seen, total, dns, connect, tls, wait, receive
        """

    /// How many columns these are.
    static let columnCount = 25

    /// The sums in a row.
    init(row: PreparedStatement, first: Int32) {
        requests = row.int(first)
        responses = row.int(first + 1)
        failures = row.int(first + 2)
        up = PartTotals(row: row, first: first + 3)
        down = PartTotals(row: row, first: first + 10)
        firstSeen = row.int(first + 17)
        lastSeen = row.int(first + 18)
        total = BucketCounts(encoded: row.bytes(first + 19))
        dns = BucketCounts(encoded: row.bytes(first + 20))
        connect = BucketCounts(encoded: row.bytes(first + 21))
        tls = BucketCounts(encoded: row.bytes(first + 22))
        wait = BucketCounts(encoded: row.bytes(first + 23))
        receive = BucketCounts(encoded: row.bytes(first + 24))
    }

    /// Binds the sums.
    ///
    /// - Parameters:
    ///   - statement: takes them.
    ///   - first: the first parameter.
    ///   - sink: keeps the histograms until the statement has run.
    func bind(to statement: PreparedStatement, first: Int32, sink: ByteSink) {
        statement.bind(first, requests)
        statement.bind(first + 1, responses)
        statement.bind(first + 2, failures)
        up.bind(to: statement, first: first + 3)
        down.bind(to: statement, first: first + 10)
        statement.bind(first + 17, firstSeen)
        statement.bind(first + 18, lastSeen)
        sink.cut(to: 0)
        let ends = [total, dns, connect, tls, wait, receive].map { histogram in
            histogram.append(to: sink)
            return sink.count
        }
        var start = 0
        for (index, end) in ends.enumerated() {
            let place = first + 19 + Int32(index)
            if end > start { statement.bind(place, sink, start..<end) } else { statement.bindNull(place) }
            start = end
        }
    }
}

extension PartTotals {
    /// The sums in seven columns of a row.
    init(row: PreparedStatement, first: Int32) {
        self.init()
        startLine = ByteCount(row.int(first))
        fields = ByteCount(row.int(first + 1))
        cookies = ByteCount(row.int(first + 2))
        interim = ByteCount(row.int(first + 3))
        body = ByteCount(row.int(first + 4))
        framing = ByteCount(row.int(first + 5))
        captured = ByteCount(row.int(first + 6))
    }

    /// Binds the sums to seven parameters.
    func bind(to statement: PreparedStatement, first: Int32) {
        statement.bind(first, startLine.bytes)
        statement.bind(first + 1, fields.bytes)
        statement.bind(first + 2, cookies.bytes)
        statement.bind(first + 3, interim.bytes)
        statement.bind(first + 4, body.bytes)
        statement.bind(first + 5, framing.bytes)
        statement.bind(first + 6, captured.bytes)
    }
}
