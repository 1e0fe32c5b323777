/// An estimate of what IP and TCP add to each segment.
///
/// The kernel counts segments and not the bytes of their headers.
/// On Linux nearly all have 20 bytes of IPv4 (RFC 791, section 3.1) or 40 of IPv6 (RFC 8200, section 3), 20 of TCP
/// (RFC 9293, section 3.1) and 12 of timestamps with their padding (RFC 7323, section 3.2). What the first segments of a
/// connection and those that report a gap have beyond that is left out, and so are the headers of the link.
package enum PacketHeaders {
    /// The headers of one segment to a peer, given as `address:port`.
    ///
    /// An IPv4 address that is written as one of IPv6 goes over IPv4.
    package static func bytesPerSegment(to peer: String) -> Int64 {
        let isIPv6 = peer.utf8.first == UInt8(ascii: "[") && !isMapped(peer)
        return (isIPv6 ? 40 : 20) + 20 + 12
    }

    private static func isMapped(_ peer: String) -> Bool {
        peer.utf8.contains(UInt8(ascii: ".")) && peer.lowercased().utf8.starts(with: "[::ffff:".utf8)
    }
}

extension ConnectionRecord {
    /// An estimate of the headers of IP and TCP of all segments; nil where the kernel did not tell how many there were.
    public var packetHeaders: ByteFlow? {
        guard let segmentsSent, let segmentsReceived else { return nil }
        let each = PacketHeaders.bytesPerSegment(to: remoteAddress)
        func bytes(_ segments: Int64) -> ByteCount {
            let (product, overflow) = max(0, segments).multipliedReportingOverflow(by: each)
            return ByteCount(overflow ? Int64.max : product)
        }
        return ByteFlow(up: bytes(segmentsSent), down: bytes(segmentsReceived))
    }

    /// An estimate of the bytes of the packets: payload, headers, and up what was sent again, which is not seen of the
    /// peer; nil where the kernel did not tell.
    public var packets: ByteFlow? {
        guard let sent, let received, let packetHeaders else { return nil }
        return ByteFlow(up: sent + (retransmitted ?? .zero), down: received) + packetHeaders
    }
}
