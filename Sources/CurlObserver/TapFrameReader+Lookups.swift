internal import CCurlTap
internal import ConnectionAccounts

/// Decodes what frames say about lookups of names.
extension TapFrameReader {
    static func lookup(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.Lookup {
        let body = try payload.take(wwt_lookup_body.self)
        let listed = min(Int(body.found), Int(WWT_MOST_ADDRESSES))
        let addresses = withUnsafeBytes(of: body.addresses) { bytes in
            (0..<listed).map { AddressText.of(bytes[($0 * 16)..<($0 * 16 + 16)]) }
        }
        return TapFrame.Lookup(
            name: try payload.text(), beganAt: body.began, error: error(body), answers: count(UInt64(body.found)),
            addresses: addresses)
    }

    private static func error(_ body: wwt_lookup_body) -> String? {
        guard body.code != 0 else { return nil }
        if body.source == WWT_LOOKUP_HOST.rawValue { return DNSNames.hostError(body.code) }
        return DNSNames.addressError(body.code)
    }

    static func dns(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.DNS {
        let body = try payload.take(wwt_dns_body.self)
        let what: TapFrame.DNS.What =
            switch wwt_dns_what(body.what) {
            case WWT_DNS_SENT: .sent
            case WWT_DNS_RECEIVED: .received
            case WWT_DNS_FAILED: .failed(errno: Int32(truncatingIfNeeded: body.size))
            default: .over
            }
        return TapFrame.DNS(
            what: what, socket: body.socket, resolver: withUnsafeBytes(of: body.resolver) { AddressText.of($0) },
            size: Int64(body.size), bytes: payload.rest())
    }
}
