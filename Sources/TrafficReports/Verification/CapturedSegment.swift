package import TrafficModel

/// The head of one TCP segment of a capture.
package struct CapturedSegment: Hashable, Sendable {
    /// The bits of the head that matter here (RFC 9293, section 3.1).
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let fin = Flags(rawValue: 0x01)
        package static let syn = Flags(rawValue: 0x02)
        package static let rst = Flags(rawValue: 0x04)
        package static let ack = Flags(rawValue: 0x10)
    }

    /// When it was captured.
    package var time: Timestamp
    /// Who sent it.
    package var source: Endpoint
    /// Whom it was for.
    package var destination: Endpoint
    /// The number of its first byte, or of its SYN.
    package var sequence: UInt32
    /// The number that its sender expects next; nil without the flag.
    package var acknowledgment: UInt32?
    /// Bytes of payload, as the IP head tells: also those that the capture left out.
    package var payload: Int64
    /// The flags.
    package var flags: Flags

    /// A segment of those figures.
    package init(
        time: Timestamp, source: Endpoint, destination: Endpoint, sequence: UInt32, acknowledgment: UInt32? = nil,
        payload: Int64 = 0, flags: Flags = []
    ) {
        self.time = time
        self.source = source
        self.destination = destination
        self.sequence = sequence
        self.acknowledgment = acknowledgment
        self.payload = payload
        self.flags = flags
    }
}

/// What a line of tshark's fields tells.
package enum CapturedRow: Hashable, Sendable {
    /// A segment with its whole head.
    case segment(CapturedSegment)
    /// A segment whose head the capture cut behind the ports.
    case cut(time: Timestamp, source: Endpoint, destination: Endpoint)
    /// A segment of nobody knows which connection.
    case unreadable

    /// The fields to ask tshark for, in this order and separated by tabs.
    ///
    /// Of a field that a packet has several times the last is wanted: that of the innermost packet in a tunnel. Which
    /// IP version that is, the list of protocols tells.
    package static let fields = [
        "frame.time_epoch", "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "tcp.srcport",
        "tcp.dstport", "tcp.seq_raw", "tcp.ack_raw", "tcp.len", "tcp.flags",
    ]

    /// Which packets to ask for: an ICMP error quotes the head of a segment that it is about, which is no segment.
    package static let displayFilter = "tcp && !icmp && !icmpv6"

    /// Reads one line, without its end.
    package init(_ line: some StringProtocol) {
        let values = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard values.count == Self.fields.count, let time = Self.time(values[0]),
            let sourcePort = UInt16(values[6]), let destinationPort = UInt16(values[7])
        else {
            self = .unreadable
            return
        }
        let isVersion6 = values[1].split(separator: ":").last { $0 == "ip" || $0 == "ipv6" } == "ipv6"
        let source = Endpoint(address: values[isVersion6 ? 4 : 2], port: sourcePort)
        let destination = Endpoint(address: values[isVersion6 ? 5 : 3], port: destinationPort)
        guard source.address != nil, destination.address != nil else {
            self = .unreadable
            return
        }
        // No packet has more than a jumbogram of IPv6 (RFC 2675); larger numbers would overflow their sums.
        guard let sequence = UInt32(values[8]), let payload = UInt32(values[10]).map(Int64.init),
            values[11].hasPrefix("0x"), let bits = UInt16(values[11].dropFirst(2), radix: 16)
        else {
            self = .cut(time: time, source: source, destination: destination)
            return
        }
        let flags = CapturedSegment.Flags(rawValue: bits)
        self = .segment(
            CapturedSegment(
                time: time, source: source, destination: destination, sequence: sequence,
                acknowledgment: flags.contains(.ack) ? UInt32(values[9]) : nil, payload: payload, flags: flags))
    }

    /// Seconds with up to nine digits behind the point.
    private static func time(_ text: some StringProtocol) -> Timestamp? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let seconds = parts.first.flatMap({ Int64($0) }), parts.count <= 2 else { return nil }
        let digits = parts.count == 2 ? String(parts[1].prefix(9)) : "0"
        guard let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.count)), fraction >= 0
        else { return nil }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        return Timestamp(nanoseconds: nanoseconds &+ fraction)
    }
}
