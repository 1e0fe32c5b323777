import CCurlTap

/// Generates the frames of a long-running program, exchange by exchange, the same in every run.
///
/// Connections open and close, in the clear and with HTTP/2 in TLS, to many peers; the close of some is never reported.
/// Some redirects are followed and some are not, and some transfers are cancelled, refused, or fail on the way.
package struct FrameTraffic {
    private struct Connection {
        var port: UInt32
        var remote: String
        /// The HTTP/2 session; nil if the connection is HTTP/1.1 in the clear.
        var session: UInt64?
        var left: Int
        var stream: UInt32 = 1
        var isNew = true
        var sent: UInt64 = 0
        var received: UInt64 = 0
    }

    private var connections: [Connection?] = Array(repeating: nil, count: 16)
    private var made: UInt64 = 0
    private var frames = FrameBuilder()
    /// The number of exchanges so far.
    package private(set) var exchanges: UInt64 = 0
    /// The monotonic clock at the start of the last exchange that was made, in nanoseconds.
    package private(set) var clock: UInt64 = 1_000_000_000
    private let pace: UInt64

    /// Makes traffic with a steady pace.
    ///
    /// - Parameter pace: the nanoseconds from the start of one exchange to that of the next.
    package init(pace: UInt64 = 20_000_000) { self.pace = pace }

    /// Returns the frames of the next exchange.
    package mutating func next() -> [UInt8] {
        defer { frames.bytes.removeAll(keepingCapacity: true) }
        exchanges += 1
        clock += pace
        let transfer = exchanges
        switch exchanges % 40 {
        case 7: refused(transfer)
        case 17: brokenHandshake(transfer)
        default: exchange(transfer)
        }
        return frames.bytes
    }

    // MARK: connections

    /// Returns the connection for the next exchange: sixteen take turns, each for at most seven exchanges.
    private mutating func connection() -> Int {
        let slot = Int(exchanges % 16)
        if let old = connections[slot], old.left > 0 { return slot }
        if let old = connections[slot], old.port % 4 != 0 {
            frames.socketClosed(
                localPort: old.port, tcp: FrameBuilder.tcp(sent: old.sent, received: old.received), remote: old.remote,
                at: clock, plaintext: old.session == nil ? wwt_plaintext() : Self.plaintext(old),
                isLeft: old.port % 16 == 1)
        }
        made += 1
        connections[slot] = Connection(
            port: 1_024 + UInt32(made % 60_000), remote: "10.0.\(made % 7).\(made % 251)",
            session: made % 3 == 0 ? made : nil, left: 1 + Int(made % 7))
        return slot
    }

    private static func plaintext(_ connection: Connection) -> wwt_plaintext {
        FrameBuilder.plaintext(sent: connection.sent, received: connection.received)
    }

    // MARK: exchanges

    private mutating func refused(_ transfer: UInt64) {
        frames.begin(transfer, handle: 0xB0 + transfer % 8, at: clock)
        frames.end(transfer, at: clock + 1_000_000, result: 7, connects: 0, localPort: 0, error: "refused")
    }

    private mutating func brokenHandshake(_ transfer: UInt64) {
        made += 1
        let port = 1_024 + UInt32(made % 60_000)
        frames.begin(transfer, handle: 0xB0 + transfer % 8, at: clock)
        frames.socketClosed(
            localPort: port, remotePort: 443, tcp: FrameBuilder.tcp(sent: 517, received: 7), at: clock + 500_000)
        frames.end(
            transfer, at: clock + 1_000_000, result: 35, connects: 1, localPort: port, remotePort: 443,
            url: "https://h/a", error: "handshake")
    }

    private mutating func exchange(_ transfer: UInt64) {
        let slot = connection()
        guard var connection = connections[slot] else { return }
        // A program reuses a few handles, and uses others only once.
        let handle = transfer % 18 == 2 ? 0x10_0000 + transfer : 0xA0 + transfer % 32
        frames.begin(transfer, handle: handle, at: clock)
        let path = "/users/\(transfer)/orders?page=\(transfer % 20)"
        let bytes = connection.session == nil ? plain(transfer, path, connection) : binary(transfer, path, connection)
        connection.sent += bytes.up
        connection.received += bytes.down
        if transfer % 97 == 5 {
            frames.lost(transfer)
        } else {
            let isGivenUp = transfer % 31 == 4
            frames.end(
                transfer, at: clock + 9_000_000, how: isGivenUp ? WWT_END_REMOVED : WWT_END_DONE,
                headerSize: Int64(Self.answer(transfer).utf8.count), connects: connection.isNew ? 1 : 0,
                localPort: connection.port, url: "http://api.example.com\(path)", remote: connection.remote,
                tcp: FrameBuilder.tcp(sent: connection.sent, received: connection.received),
                plaintext: connection.session == nil ? wwt_plaintext() : Self.plaintext(connection))
        }
        connection.isNew = false
        connection.left -= 1
        connection.stream += 2
        connections[slot] = connection
    }

    private static func answer(_ transfer: UInt64) -> String {
        transfer % 9 == 2
            ? "HTTP/1.1 302 Found\r\nLocation: /users/\(transfer + 32)/orders\r\nContent-Length: 0\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
    }

    private mutating func plain(
        _ transfer: UInt64, _ path: String, _ connection: Connection
    ) -> (up: UInt64, down: UInt64) {
        frames.request(
            transfer, at: clock + 1_000_000, url: "http://api.example.com\(path)", connects: connection.isNew ? 1 : 0,
            localPort: connection.port, remote: connection.remote)
        let head = "GET \(path) HTTP/1.1\r\nHost: api.example.com\r\nAccept: */*\r\n\r\n"
        let answer = Self.answer(transfer)
        frames.headOut(transfer, at: clock + 1_000_000, head)
        frames.headIn(transfer, at: clock + 5_000_000, answer)
        guard answer.hasPrefix("HTTP/1.1 200") else { return (UInt64(head.utf8.count), UInt64(answer.utf8.count)) }
        frames.body(transfer, bytes: 500, first: clock + 6_000_000, last: clock + 8_000_000)
        return (UInt64(head.utf8.count), UInt64(answer.utf8.count) + 500)
    }

    private mutating func binary(
        _ transfer: UInt64, _ path: String, _ connection: Connection
    ) -> (up: UInt64, down: UInt64) {
        guard let session = connection.session else { return (0, 0) }
        if connection.isNew {
            frames.connection(
                transfer, localPort: connection.port, remote: connection.remote, tls: ("TLSv1.3", "AES"), alpn: "h2")
        }
        frames.stream(connection.stream, session: session, transfer)
        frames.request(
            transfer, at: clock + 1_000_000, url: "https://api.example.com\(path)",
            connects: connection.isNew ? 1 : 0, localPort: connection.port, remote: connection.remote)
        frames.headOut(transfer, at: clock + 1_000_000, "GET \(path) HTTP/2\r\nHost: api.example.com\r\n\r\n")
        frames.headIn(transfer, at: clock + 5_000_000, "HTTP/2 200 \r\nContent-Type: text/plain\r\n\r\n")
        frames.body(transfer, bytes: 400, first: clock + 6_000_000, last: clock + 8_000_000)
        frames.http2(
            session: session,
            [
                FrameBuilder.part(connection.stream, type: 1, content: 40),
                FrameBuilder.part(connection.stream, type: 1, down: true, content: 30),
                FrameBuilder.part(connection.stream, type: 0, down: true, content: 400),
                FrameBuilder.part(0, type: 6, down: true, content: 8),
            ])
        return (49, 39 + 409 + 17)
    }
}
