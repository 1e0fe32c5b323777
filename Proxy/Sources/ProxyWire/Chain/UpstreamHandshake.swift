/// What is said to an upstream proxy before a tunnel through it is open, and what its answers mean.
///
/// CONNECT of RFC 9110, section 9.3.6; SOCKS version 5 of RFC 1928 and RFC 1929.
package struct UpstreamHandshake {
    package enum Step: Equatable, Sendable {
        /// Not all of an answer has come.
        case wait
        case send([UInt8])
        /// The tunnel is open; what follows the answer came through it.
        case open
        case refused(UpstreamRefusal)
    }

    private enum State {
        case head(HeadEnd)
        case method
        case authorization
        case reply
    }

    private let proxy: UpstreamProxy
    private let authority: Authority
    private var state: State
    private static let mostHead = 64 * 1024

    package init(through proxy: UpstreamProxy, to authority: Authority) {
        self.proxy = proxy
        self.authority = authority
        state = proxy.kind == .socks5 ? .method : .head(HeadEnd(allowsBareLF: true))
    }

    /// What is sent first.
    package var greeting: [UInt8] {
        switch proxy.kind {
        case .http, .https:
            Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(proxy.authorization ?? "")\r\n".utf8)
        case .socks5: proxy.credentials == nil ? [SOCKS5.version, 1, 0] : [SOCKS5.version, 2, 0, 2]
        }
    }

    /// Reads an answer at the beginning of `bytes`, which are all that have come and were not taken, and how many of
    /// them it takes.
    package mutating func take(_ bytes: Bytes) -> (count: Int, Step) {
        switch state {
        case .head(var end):
            guard let count = end.find(in: bytes) else {
                state = .head(end)
                return bytes.count > Self.mostHead ? (0, .refused(.malformed)) : (0, .wait)
            }
            guard let head = ResponseHead(Bytes(rebasing: bytes[..<count])) else { return (0, .refused(.malformed)) }
            if (200..<300).contains(head.status) { return (count, .open) }
            state = .head(HeadEnd(allowsBareLF: true))
            return head.isInterim ? (count, .wait) : (count, .refused(.status(head.status)))
        case .method:
            guard bytes.count >= 2 else { return (0, .wait) }
            guard bytes[0] == SOCKS5.version else { return (0, .refused(.malformed)) }
            switch (bytes[1], proxy.credentials) {
            case (0, _):
                state = .reply
                return (2, .send(request))
            case (2, let credentials?):
                state = .authorization
                return (
                    2,
                    .send(
                        [1, UInt8(credentials.user.count)] + credentials.user
                            + [UInt8(credentials.password.count)] + credentials.password)
                )
            default: return (2, .refused(.credentials))
            }
        case .authorization:
            guard bytes.count >= 2 else { return (0, .wait) }
            guard bytes[1] == 0 else { return (2, .refused(.credentials)) }
            state = .reply
            return (2, .send(request))
        case .reply:
            guard bytes.count >= 2 else { return (0, .wait) }
            guard bytes[0] == SOCKS5.version else { return (0, .refused(.malformed)) }
            if bytes[1] != 0 { return (bytes.count, .refused(.reply(bytes[1]))) }
            guard bytes.count >= 5 else { return (0, .wait) }
            let size: Int
            switch bytes[3] {
            case 1: size = 4
            case 3: size = 1 + Int(bytes[4])
            case 4: size = 16
            default: return (0, .refused(.malformed))
            }
            return bytes.count < 6 + size ? (0, .wait) : (6 + size, .open)
        }
    }

    private var request: [UInt8] {
        let host: [UInt8]
        if let address = IPAddress(authority.host) {
            host = [address.bytes.count == 4 ? 1 : 4] + address.bytes
        } else {
            host = [3, UInt8(authority.host.utf8.count)] + Array(authority.host.utf8)
        }
        return [SOCKS5.version, 1, 0] + host + [UInt8(authority.port >> 8), UInt8(authority.port & 0xFF)]
    }
}

/// How an upstream proxy refuses.
package enum UpstreamRefusal: Error, Equatable, Sendable {
    /// Of CONNECT.
    case status(Int)
    /// Of SOCKS.
    case reply(UInt8)
    case credentials
    case malformed
    case ended
    case late

    package var reason: String {
        switch self {
        case .status(407), .credentials:
            "wants other credentials; give them as user:password@ before its host"
        case .status(let status): "refused it with status \(status)"
        case .reply(let number): "refused it: \(Self.words(number))"
        case .malformed: "answered in another protocol"
        case .ended: "ended the connection"
        case .late: "did not answer in time"
        }
    }

    /// RFC 1928, section 6.
    private static func words(_ number: UInt8) -> String {
        switch number {
        case 2: "its rules do not allow it"
        case 3: "the network cannot be reached"
        case 4: "the host cannot be reached"
        case 5: "the host did not take the connection"
        case 6: "the time to live ran out"
        case 7: "it does not know the command"
        case 8: "it does not know the kind of address"
        default: "SOCKS reply \(number)"
        }
    }
}
