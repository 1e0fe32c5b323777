/// What a client of SOCKS version 5 sends (RFC 1928), without authentication.
package enum SOCKS5 {
    package static let version: UInt8 = 5

    /// The replies of RFC 1928, section 6.
    package enum Reply: UInt8, Sendable {
        case succeeded = 0
        case failure = 1
        case notAllowed = 2
        case networkUnreachable = 3
        case hostUnreachable = 4
        case refused = 5
        case commandNotSupported = 7
        case addressNotSupported = 8
    }

    package enum Message: Equatable, Sendable {
        /// Not all of it has come.
        case incomplete
        case greeting(count: Int, acceptsNoAuthentication: Bool)
        case connect(count: Int, Authority)
        case unsupported(Reply)
        /// No SOCKS.
        case malformed
    }

    package static func greeting(_ bytes: Bytes) -> Message {
        guard bytes.count >= 2 else { return .incomplete }
        guard bytes[0] == version, bytes[1] > 0 else { return .malformed }
        let count = 2 + Int(bytes[1])
        guard bytes.count >= count else { return .incomplete }
        return .greeting(count: count, acceptsNoAuthentication: bytes[2..<count].contains(0))
    }

    package static func request(_ bytes: Bytes) -> Message {
        guard bytes.count >= 5 else { return .incomplete }
        guard bytes[0] == version, bytes[2] == 0 else { return .malformed }
        let size: Int
        switch bytes[3] {
        case 1: size = 4
        case 3: size = 1 + Int(bytes[4])
        case 4: size = 16
        default: return .unsupported(.addressNotSupported)
        }
        let count = 4 + size + 2
        guard bytes.count >= count else { return .incomplete }
        guard bytes[1] == 1 else { return .unsupported(.commandNotSupported) }
        let port = UInt16(bytes[count - 2]) << 8 | UInt16(bytes[count - 1])
        let host: String
        switch bytes[3] {
        case 1: host = bytes[4..<8].map { String($0) }.joined(separator: ".")
        case 4:
            let groups = stride(from: 4, to: 20, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            host = "[" + groups.map { String($0, radix: 16) }.joined(separator: ":") + "]"
        default: host = bytes.text(5..<4 + size)
        }
        guard let authority = Authority("\(host):\(port)", defaultPort: nil) else { return .unsupported(.failure) }
        return .connect(count: count, authority)
    }

    /// The answer to a greeting: no authentication, or that none is acceptable.
    package static func method(isAccepted: Bool) -> [UInt8] { [version, isAccepted ? 0 : 0xFF] }

    /// The answer to a request; the address that the proxy uses stays unknown to it.
    package static func reply(_ reply: Reply) -> [UInt8] { [version, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }
}
