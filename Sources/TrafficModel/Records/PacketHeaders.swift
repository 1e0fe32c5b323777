/// An estimate of the bytes that IP and TCP add to each segment.
///
/// The kernel counts segments, but not the bytes of their headers.
/// On Linux nearly all segments have 20 bytes of IPv4 (RFC 791, section 3.1) or 40 of IPv6 (RFC 8200, section 3), 20 of
/// TCP (RFC 9293, section 3.1) and 12 of timestamps with their padding (RFC 7323, section 3.2). The estimate leaves out
/// the further options of a connection's first segments and of those that report a gap, and the headers of the link.
package enum PacketHeaders {
    /// The headers of one segment to a peer, given as `address:port`.
    ///
    /// An IPv4 address that is written as an IPv6 address goes over IPv4.
    package static func bytesPerSegment(to peer: String) -> Int64 {
        let isIPv6 = peer.utf8.first == UInt8(ascii: "[") && !isMapped(peer)
        return (isIPv6 ? 40 : 20) + 20 + 12
    }

    private static func isMapped(_ peer: String) -> Bool {
        peer.utf8.contains(UInt8(ascii: ".")) && peer.lowercased().utf8.starts(with: "[::ffff:".utf8)
    }
}

extension ConnectionRecord {
    /// An estimate of the IP and TCP headers of all segments; nil if the kernel did not report the number of segments.
    public var packetHeaders: ByteFlow? {
        guard let segmentsUp, let segmentsDown else { return nil }
        let each = PacketHeaders.bytesPerSegment(to: remoteAddress)
        func bytes(_ segments: Int64) -> ByteCount {
            let (product, overflow) = max(0, segments).multipliedReportingOverflow(by: each)
            return ByteCount(overflow ? Int64.max : product)
        }
        return ByteFlow(up: bytes(segmentsUp), down: bytes(segmentsDown))
    }

    /// An estimate of the bytes of all packets; nil if the kernel did not report its counts.
    ///
    /// It includes payload and headers, and for `up` the bytes that were sent again. What the peer sent again is not
    /// visible here.
    public var packets: ByteFlow? {
        guard let payloadUp, let payloadDown, let packetHeaders else { return nil }
        return ByteFlow(up: payloadUp + (retransmitted ?? .zero), down: payloadDown) + packetHeaders
    }
}
