import TrafficModel

@testable import CaptureVerification

/// A client's and a server's packets, as rows of tshark.
struct Packets {
    static let client = "10.0.0.1"
    static let server = "10.0.0.2"
    static let second: Int64 = 1_800_000_000

    private(set) var tally = CaptureTally()
    private(set) var clock = 0
    /// The numbers of the SYNs.
    var clientStart: UInt32 = 1_000
    var serverStart: UInt32 = 5_000
    var clientPort = 40_000

    /// A packet of the client, at an offset from its first byte of payload; `ack` likewise, of the server's.
    mutating func up(_ offset: Int64, _ count: Int = 0, ack: Int64? = 0, flags: UInt16 = 0) {
        row(true, offset, count, ack, flags)
    }

    /// A packet of the server.
    mutating func down(_ offset: Int64, _ count: Int = 0, ack: Int64? = 0, flags: UInt16 = 0) {
        row(false, offset, count, ack, flags)
    }

    private mutating func row(_ isUp: Bool, _ offset: Int64, _ count: Int, _ ack: Int64?, _ flags: UInt16) {
        let (own, other) = isUp ? (clientStart, serverStart) : (serverStart, clientStart)
        let sequence = own &+ UInt32(truncatingIfNeeded: offset + 1)
        let acknowledgment = ack.map { other &+ UInt32(truncatingIfNeeded: $0 + 1) } ?? 0
        let bits = flags | (ack == nil ? 0 : 0x10)
        let ends = isUp ? [Self.client, Self.server] : [Self.server, Self.client]
        let ports = isUp ? [clientPort, 80] : [80, clientPort]
        add(
            "eth:ethertype:ip:tcp\t\(ends[0])\t\(ends[1])\t\t\t\(ports[0])\t\(ports[1])\t\(sequence)\t"
                + "\(acknowledgment)\t\(count)\t0x\(String(bits, radix: 16))")
    }

    /// A row without its time.
    mutating func add(_ text: String) {
        clock += 1
        tally.add(CapturedRow("\(Self.second).\(String(format(clock)))\t\(text)"))
    }

    private func format(_ milliseconds: Int) -> String {
        String(repeating: "0", count: max(0, 3 - String(milliseconds).count)) + String(milliseconds)
    }

    /// Packets later.
    mutating func wait(milliseconds: Int) { clock += milliseconds }

    static let fin: UInt16 = 1
    static let syn: UInt16 = 2
    static let rst: UInt16 = 4

    mutating func handshake() {
        up(-1, ack: nil, flags: Self.syn)
        down(-1, ack: 0, flags: Self.syn)
        up(0)
    }

    /// Both ends close their side, after the given numbers of bytes.
    mutating func close(up sent: Int64, down received: Int64) {
        up(sent, ack: received, flags: Self.fin)
        down(received, ack: sent + 1, flags: Self.fin)
        up(sent + 1, ack: received + 1)
    }

    /// A connection with one request and one response.
    mutating func exchange(up sent: Int, down received: Int) {
        handshake()
        up(0, sent)
        down(0, received, ack: Int64(sent))
        close(up: Int64(sent), down: Int64(received))
    }

    static func time(_ milliseconds: Int) -> Timestamp {
        Timestamp(nanoseconds: second * 1_000_000_000 + Int64(milliseconds) * 1_000_000)
    }

    /// A metered connection of that client.
    static func record(
        _ number: Int64 = 1, port: Int = 40_000, sent: Int64?, received: Int64?, opened: Int = 4, closed: Int? = 900,
        local: String? = client, remote: String = "\(server):80"
    ) -> StoredConnection {
        StoredConnection(
            id: StoredConnection.ID(number),
            record: ConnectionRecord(
                connection: .notKept, process: ProcessIdentity(pid: 7, name: "app"),
                localAddress: "\(local ?? ""):\(port)", remoteAddress: remote, openedAt: time(opened),
                closedAt: closed.map(time), payloadUp: sent.map { ByteCount($0) },
                payloadDown: received.map { ByteCount($0) }))
    }

    /// The only row of a comparison with one record.
    func row(_ record: StoredConnection) -> CaptureVerification.Row {
        CaptureVerification([record], against: tally).rows[0]
    }
}

extension CaptureVerification.Payload {
    init(_ up: Int64, _ down: Int64) { self.init(up: up, down: down) }
}
