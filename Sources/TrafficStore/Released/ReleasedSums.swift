internal import TrafficModel

// The sums of roll-ups were one blob in files of 0.1.0.
extension TrafficSums {
    /// The sums of a row of 0.1.0, from the column `requests` on.
    init(released row: PreparedStatement, first: Int32) {
        self.init()
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
        phases.connect.merge(encoded: &reader)
        phases.tls.merge(encoded: &reader)
        phases.wait.merge(encoded: &reader)
        phases.receive.merge(encoded: &reader)
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
}

extension PartTotals {
    /// Adds encoded sums.
    fileprivate mutating func merge(encoded reader: inout ByteReader) {
        startLine += ByteCount(reader.varint())
        fields += ByteCount(reader.varint())
        cookies += ByteCount(reader.varint())
        interim += ByteCount(reader.varint())
        body += ByteCount(reader.varint())
        framing += ByteCount(reader.varint())
        captured += ByteCount(reader.varint())
    }
}
