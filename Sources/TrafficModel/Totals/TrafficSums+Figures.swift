extension TrafficSums {
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
}
