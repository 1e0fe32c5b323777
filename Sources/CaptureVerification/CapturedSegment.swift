package import TrafficModel

/// The header of one captured TCP segment.
package struct CapturedSegment: Hashable, Sendable {
    /// The flags of the header that matter here (RFC 9293, section 3.1).
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
    /// The sender.
    package var source: Endpoint
    /// The receiver.
    package var destination: Endpoint
    /// The sequence number of its first byte, or of its SYN.
    package var sequence: UInt32
    /// The sequence number that its sender expects next; nil without the ACK flag.
    package var acknowledgment: UInt32?
    /// Bytes of payload, according to the IP header: bytes that the capture cut are included.
    package var payload: Int64
    /// The flags.
    package var flags: Flags

    /// Creates a segment from its fields.
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

/// One line of tshark's output.
package enum CapturedRow: Hashable, Sendable {
    /// A segment with its complete header.
    case segment(CapturedSegment)
    /// A segment whose header the capture cut after the ports.
    case cut(time: Timestamp, source: Endpoint, destination: Endpoint)
    /// A segment that was cut so early that its connection is unknown.
    case unreadable

    /// The fields to request from tshark, in this order, separated by tabs.
    ///
    /// If a packet has a field several times, the last one is needed: in a tunnel, that of the innermost packet. The
    /// list of protocols shows which IP version that is.
    package static let fields = [
        "frame.time_epoch", "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "tcp.srcport",
        "tcp.dstport", "tcp.seq_raw", "tcp.ack_raw", "tcp.len", "tcp.flags",
    ]

    /// The packets to request.
    ///
    /// ICMP errors are left out, because they only quote the header of another segment.
    package static let displayFilter = "tcp && !icmp && !icmpv6"

    /// Reads one line, given without its end.
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
        // No packet is larger than an IPv6 jumbogram (RFC 2675); sums of larger numbers would overflow.
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

    /// Reads seconds with up to nine decimal places.
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
