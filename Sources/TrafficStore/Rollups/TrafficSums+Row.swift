internal import TrafficModel

extension TrafficSums {
    /// The columns of sums after `slot` and `kind`, in the order in which ``bind(to:first:sink:)`` writes and
    /// ``merge(row:first:)`` reads them.
    static let columns = "requests, first_seen, last_seen, sums"

    /// The number of these columns.
    static let columnCount = 4

    /// The sums of a row.
    init(row: PreparedStatement, first: Int32) {
        self.init()
        merge(row: row, first: first)
    }

    /// Adds the sums of a row.
    mutating func merge(row: PreparedStatement, first: Int32) {
        requests += Plausible.count(row.int(first))
        see(
            from: Timestamp(nanoseconds: Plausible.moment(row.int(first + 1))),
            to: Timestamp(nanoseconds: Plausible.moment(row.int(first + 2))))
        var reader = ByteReader(row.bytes(first + 3))
        func next() -> Int64 { Plausible.count(Int64(clamping: reader.varint())) }
        responses += next()
        failures += next()
        notModified += next()
        newConnections += next()
        reusedConnections += next()
        encodedBody += ByteCount(next())
        decodedBody += ByteCount(next())
        up.merge(encoded: &reader)
        down.merge(encoded: &reader)
        latency.merge(encoded: &reader)
        phases.dns.merge(encoded: &reader)
        phases.tcp.merge(encoded: &reader)
        phases.tls.merge(encoded: &reader)
        phases.waiting.merge(encoded: &reader)
        phases.receiving.merge(encoded: &reader)
        guard !reader.isAtEnd else { return }
        sharing += next()
        overhead += ByteFlow(up: ByteCount(next()), down: ByteCount(next()))
        packetHeaders += ByteFlow(up: ByteCount(next()), down: ByteCount(next()))
        guard !reader.isAtEnd else { return }
        up.unknown += next()
        down.unknown += next()
        incomplete += next()
        incompleteUnanswered += next()
        // A count of exchanges with such a message, which earlier versions wrote; it is not used any more.
        _ = next()
        guard !reader.isAtEnd else { return }
        phases.queue.merge(encoded: &reader)
        phases.send.merge(encoded: &reader)
        phases.unattributed.merge(encoded: &reader)
    }

    /// Binds the sums to the parameters of a statement.
    ///
    /// - Parameters:
    ///   - statement: a statement with parameters for ``columns``.
    ///   - first: the number of the first of these parameters.
    ///   - sink: keeps the packed sums until the statement has run.
    func bind(to statement: PreparedStatement, first: Int32, sink: ByteSink) {
        sink.cut(to: 0)
        sink.appendVarint(UInt64(responses))
        sink.appendVarint(UInt64(failures))
        sink.appendVarint(UInt64(notModified))
        sink.appendVarint(UInt64(newConnections))
        sink.appendVarint(UInt64(reusedConnections))
        sink.appendVarint(UInt64(encodedBody.bytes))
        sink.appendVarint(UInt64(decodedBody.bytes))
        up.append(to: sink)
        down.append(to: sink)
        latency.append(to: sink)
        phases.dns.append(to: sink)
        phases.tcp.append(to: sink)
        phases.tls.append(to: sink)
        phases.waiting.append(to: sink)
        phases.receiving.append(to: sink)
        // Values that are 0 are left out at the end of the blob.
        let hasPhases = !(phases.queue.isEmpty && phases.send.isEmpty && phases.unattributed.isEmpty)
        let hasUnknown = hasPhases || up.unknown + down.unknown + incomplete > 0
        if sharing > 0 || hasUnknown {
            sink.appendVarint(UInt64(sharing))
            sink.appendVarint(UInt64(overhead.up.bytes))
            sink.appendVarint(UInt64(overhead.down.bytes))
            sink.appendVarint(UInt64(packetHeaders.up.bytes))
            sink.appendVarint(UInt64(packetHeaders.down.bytes))
        }
        if hasUnknown {
            sink.appendVarint(UInt64(up.unknown))
            sink.appendVarint(UInt64(down.unknown))
            sink.appendVarint(UInt64(incomplete))
            sink.appendVarint(UInt64(incompleteUnanswered))
            sink.appendVarint(0)
        }
        if hasPhases {
            phases.queue.append(to: sink)
            phases.send.append(to: sink)
            phases.unattributed.append(to: sink)
        }
        statement.bind(first, requests)
        statement.bind(first + 1, firstSeen?.nanoseconds ?? .max)
        statement.bind(first + 2, lastSeen?.nanoseconds ?? .min)
        statement.bind(first + 3, sink, 0..<sink.count)
    }
}

extension PartTotals {
    /// Appends six sums and the captured bytes; the count of unknown sizes is written elsewhere.
    func append(to sink: ByteSink) {
        sink.appendVarint(UInt64(startLine.bytes))
        sink.appendVarint(UInt64(fields.bytes))
        sink.appendVarint(UInt64(cookies.bytes))
        sink.appendVarint(UInt64(interim.bytes))
        sink.appendVarint(UInt64(body.bytes))
        sink.appendVarint(UInt64(framing.bytes))
        sink.appendVarint(UInt64(captured.bytes))
    }

    /// Adds encoded sums.
    mutating func merge(encoded reader: inout ByteReader) {
        startLine += ByteCount(reader.varint())
        fields += ByteCount(reader.varint())
        cookies += ByteCount(reader.varint())
        interim += ByteCount(reader.varint())
        body += ByteCount(reader.varint())
        framing += ByteCount(reader.varint())
        captured += ByteCount(reader.varint())
    }
}
