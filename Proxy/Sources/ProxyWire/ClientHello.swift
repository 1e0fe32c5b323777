/// What a client of TLS asks for first (RFC 8446, section 4.1.2), as far as a proxy chooses by it.
package struct ClientHello: Equatable, Sendable {
    /// The name of the server that it wants (RFC 6066), in small letters; nil if it gives none, or none that is a name.
    package var serverName: String?
    /// Its application protocols (RFC 7301), as the extension has them: each with its length before it.
    package var protocols: [UInt8] = []

    package enum Found: Equatable, Sendable {
        case incomplete
        case hello(ClientHello)
        /// No TLS, or none that can be read.
        case other
    }

    /// Bytes of records in which a hello may come.
    package static let most = 64 * 1024

    /// Looks for a hello at the start of what a client has sent.
    package static func find(in bytes: Bytes) -> Found {
        var message: [UInt8] = []
        var position = 0
        // A hello may be split over records (RFC 8446, section 5.1).
        while true {
            let rest = Bytes(rebasing: bytes[position...])
            guard let kind = rest.first else { return .incomplete }
            guard kind == 22, rest.count < 2 || rest[1] == 3 else { return .other }
            guard rest.count >= 5 else { return .incomplete }
            let count = Int(rest[3]) << 8 | Int(rest[4])
            guard count > 0, count <= 16_384 else { return .other }
            let part = rest[5..<min(5 + count, rest.count)]
            message.append(contentsOf: part)
            if let type = message.first, type != 1 { return .other }
            if message.count >= 4 {
                let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
                if length > most { return .other }
                if message.count >= 4 + length {
                    return ClientHello(body: message[4..<4 + length]).map { .hello($0) } ?? .other
                }
            }
            guard part.count == count else { return .incomplete }
            position += 5 + count
            if position > most { return .other }
        }
    }

    private init?(body: ArraySlice<UInt8>) {
        var reader = Reader(rest: body)
        // The version and the random; the session, the cipher suites and the compression methods.
        guard reader.take(2 + 32) != nil, reader.vector(1) != nil, reader.vector(2) != nil, reader.vector(1) != nil
        else { return nil }
        if reader.rest.isEmpty { return }
        guard let extensions = reader.vector(2) else { return nil }
        var next = Reader(rest: extensions)
        while !next.rest.isEmpty {
            guard let kind = next.number(2), let content = next.vector(2) else { return nil }
            switch kind {
            case 0: serverName = Self.name(content)
            case 16:
                var reader = Reader(rest: content)
                guard let list = reader.vector(2), reader.rest.isEmpty, Self.isList(list) else { return nil }
                protocols = Array(list)
            default: break
            }
        }
    }

    private static func name(_ content: ArraySlice<UInt8>) -> String? {
        var reader = Reader(rest: content)
        guard let list = reader.vector(2) else { return nil }
        var names = Reader(rest: list)
        guard names.number(1) == 0, let bytes = names.vector(2),
            let authority = Authority(String(decoding: bytes, as: UTF8.self), defaultPort: 443),
            IPAddress(authority.host) == nil, authority.host.utf8.count == bytes.count
        else { return nil }
        return authority.host
    }

    private static func isList(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(rest: bytes)
        while !reader.rest.isEmpty {
            guard let name = reader.vector(1), !name.isEmpty else { return false }
        }
        return !bytes.isEmpty
    }

    /// Vectors of TLS: a length and what it counts (RFC 8446, section 3.4).
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number(_ width: Int) -> Int? { take(width)?.reduce(0) { $0 << 8 | Int($1) } }

        mutating func vector(_ width: Int) -> ArraySlice<UInt8>? { number(width).flatMap { take($0) } }
    }
}
