extension TrafficTotal {
    /// All bytes, in both directions.
    public var bytes: ByteCount { up.total + down.total }

    /// How many requests have no response, without those whose response the meter lost.
    public var unanswered: Int64 { max(0, requests - responses - incompleteUnanswered) }

    /// The share of the requests that failed, from 0 to 1; nil if there are none.
    public var failureRate: Double? { requests > 0 ? Double(failures) / Double(requests) : nil }

    /// The share of all bytes that were captured, from 0 to 1; 1 if there are no bytes.
    public var capturedShare: Double {
        bytes == 0 ? 1 : Double((up.captured + down.captured).bytes) / Double(bytes.bytes)
    }

    /// The share of header sections, including cookies, in all bytes; nil if there are no bytes.
    public var headerShare: Double? { share(up.fields + down.fields) }

    /// The share of Cookie and Set-Cookie lines in all bytes; nil if there are no bytes.
    public var cookieShare: Double? { share(up.cookies + down.cookies) }

    /// The decoded size of the coded bodies, divided by their size as sent; nil if none is known.
    ///
    /// Bodies without a content coding, and those whose decoded size is not known, are left out.
    public var compressionRatio: Double? {
        encodedBody == 0 ? nil : Double(decodedBody.bytes) / Double(encodedBody.bytes)
    }

    /// The share of exchanges, of those with a known connection, that used an open one; nil if no connection is known.
    public var reuseShare: Double? {
        let all = newConnections + reusedConnections
        return all == 0 ? nil : Double(reusedConnections) / Double(all)
    }

    /// How many messages have a part whose size is unknown.
    public var partlyUnknown: Int64 { up.unknown + down.unknown }

    /// An estimate of the bytes of the packets, without retransmissions; nil if nothing is known of the connections.
    ///
    /// It includes the messages, what their connections carried in addition, and the headers of IP and TCP.
    public var packets: ByteFlow? {
        sharing == 0 ? nil : ByteFlow(up: up.total, down: down.total) + overhead + packetHeaders
    }

    private func share(_ part: ByteCount) -> Double? {
        bytes == 0 ? nil : Double(part.bytes) / Double(bytes.bytes)
    }

    /// Adds one exchange; one without an end counts with the bytes seen so far.
    public mutating func add(_ exchange: Exchange) {
        requests += 1
        up.add(exchange.request.size)
        let status = exchange.response?.status ?? 0
        if let response = exchange.response {
            if response.isAnswer { responses += 1 }
            if status == 304 { notModified += 1 }
            down.add(response.size)
            if let coded = response.codedBody {
                encodedBody += coded.encoded
                decodedBody += coded.decoded
            }
        }
        let startedAt = exchange.request.startedAt
        firstSeen = min(firstSeen ?? startedAt, startedAt)
        lastSeen = max(lastSeen ?? startedAt, startedAt)
        if exchange.hasFailed { failures += 1 }
        if exchange.end?.outcome == .incomplete {
            incomplete += 1
            if exchange.response?.isAnswer != true { incompleteUnanswered += 1 }
        }
        guard let end = exchange.end else { return }
        var timings = end.timings
        timings.total = end.duration(since: startedAt)
        if let duration = timings.total { latency.record(nanoseconds: duration) }
        phases.record(timings)
        if end.connection != nil {
            if end.reusedConnection { reusedConnections += 1 } else { newConnections += 1 }
        }
        guard let share = end.share else { return }
        sharing += 1
        overhead += share.overhead
        packetHeaders += share.packetHeaders
    }
}

extension ResponseRecord {
    /// The body's size as sent and as decoded, if it has a content coding and both sizes are known.
    package var codedBody: (encoded: ByteCount, decoded: ByteCount)? {
        guard !contentEncoding.isEmpty, decodedBody.evidence != .unknown, size.body.evidence != .unknown,
            size.body.bytes > 0
        else { return nil }
        return (size.body.bytes, decodedBody.bytes)
    }
}
