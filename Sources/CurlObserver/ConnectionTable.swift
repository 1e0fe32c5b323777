internal import TrafficModel

/// The connections of one process, told apart by their ends.
struct ConnectionTable {
    private struct Ends: Hashable {
        var localPort: UInt32
        var remotePort: UInt32
        var remoteAddress: String

        init(localPort: UInt32, remotePort: UInt32, remoteAddress: String) {
            self.localPort = localPort
            self.remotePort = remotePort
            self.remoteAddress = remoteAddress
        }

        init(_ request: TapFrame.Request) {
            self.init(
                localPort: request.localPort, remotePort: request.remotePort, remoteAddress: request.remoteAddress)
        }
    }

    /// Whether two requests go between the same two ports.
    static func haveSameEnds(_ one: TapFrame.Request, _ other: TapFrame.Request) -> Bool { Ends(one) == Ends(other) }

    /// What the messages of a connection that carries nothing but HTTP/1 in the clear add up to.
    private struct Plain {
        var up: Int64 = 0
        var down: Int64 = 0
        /// Exchanges that have begun on it and not ended.
        var open = 0
        /// The one that began last: what is left over when all have ended is its.
        var newest: ExchangeID?
        /// Whether nothing more can come, because it is closed, or the peer has ended it.
        var isOver = false
    }

    private var current: [Ends: ConnectionRecord] = [:]
    private var plain: [Ends: Plain] = [:]
    private var untold: [Ends] = []
    /// What is still to be told of connections whose ends have gone over to another.
    private var replaced: [ConnectionRecord] = []
    private var closedOrder: [Ends] = []

    /// The connection of a request that is about to be sent.
    mutating func use(
        _ request: TapFrame.Request, by exchange: ExchangeID, isNew: Bool, process: ProcessIdentity,
        at time: Timestamp, next: () -> ConnectionID
    ) -> ConnectionID? {
        guard request.localPort != 0 else { return nil }
        let ends = Ends(request)
        defer {
            plain[ends]?.open += 1
            plain[ends]?.newest = exchange
        }
        if let known = current[ends], !isNew, known.closedAt == nil { return known.connection }
        let record = ConnectionRecord(
            connection: next(), process: process, localAddress: "", remoteAddress: "",
            openedAt: time)
        if let old = current[ends], untold.contains(ends) { replaced.append(old) }
        current[ends] = record
        plain[ends] = Plain()
        current[ends]?.localAddress = ":\(request.localPort)"
        current[ends]?.remoteAddress = Self.address(request.remoteAddress, request.remotePort)
        untold.append(ends)
        return record.connection
    }

    /// The kernel's count at the end of an exchange.
    mutating func count(
        _ kernel: TapFrame.KernelCount, localPort: UInt32, remotePort: UInt32, remoteAddress: String
    ) {
        let ends = Ends(localPort: localPort, remotePort: remotePort, remoteAddress: remoteAddress)
        guard current[ends] != nil, current[ends]?.closedAt == nil else { return }
        take(kernel, at: ends)
    }

    /// The kernel's last count.
    mutating func close(_ socket: TapFrame.SocketClosed, at time: Timestamp) {
        let exact = Ends(
            localPort: socket.localPort, remotePort: socket.remotePort, remoteAddress: socket.remoteAddress)
        // After a reset the kernel has forgotten the peer; the local port is enough while the connection is open.
        let ends =
            current[exact] != nil
            ? exact : current.first { $0.key.localPort == socket.localPort && $0.value.closedAt == nil }?.key
        guard let ends, current[ends]?.closedAt == nil else { return }
        take(socket.kernel, at: ends)
        current[ends]?.closedAt = time
        plain[ends]?.isOver = true
        current[ends]?.localAddress = Self.address(socket.localAddress, socket.localPort)
        closedOrder.append(ends)
        // A closed connection is asked for once more, by the end of the exchange that it carried; not later.
        if closedOrder.count > 2_048 {
            for old in closedOrder.prefix(1_024) where current[old]?.closedAt != nil {
                current[old] = nil
                plain[old] = nil
            }
            closedOrder.removeFirst(1_024)
        }
    }

    /// What the kernel knows of an exchange and libcurl does not show.
    struct Correction {
        /// Bytes that libcurl handed to the kernel and that never left: the connection was reset before.
        var unsent: Int64 = 0
        /// Bytes that libcurl took from the kernel and did not show, such as half a line of a head.
        var unseen: Int64 = 0
        /// Whether the kernel could be asked.
        var isVerified = false
    }

    /// Adds an exchange to what its connection has carried, and compares the sum with the kernel's.
    ///
    /// There is nothing to correct while more may come, or while another exchange on it has not been added yet (the next
    /// one may begin before the end of the last is told), and where the messages are not all that the connection carries.
    ///
    /// - Parameters:
    ///   - exchange: the exchange that has ended.
    ///   - connection: the connection that it was given, which may have been replaced by another since.
    ///   - up: the request's bytes that were shown.
    ///   - down: the response's bytes that were shown.
    ///   - hidden: bytes of the response that must have come besides, unless the kernel says otherwise.
    ///   - received: the kernel's count when all of the response had come and nothing after it; nil where nobody looked.
    ///   - isPlain: whether it is HTTP/1 without TLS; one other message spoils the connection for this sum.
    ///   - request: names the connection.
    /// - Returns: what to take from the request and to add to the response.
    mutating func carry(
        _ exchange: ExchangeID, on connection: ConnectionID?, up: Int64, down: Int64, hidden: Int64 = 0,
        settledAt received: Int64? = nil, isPlain: Bool, of request: TapFrame.Request
    ) -> Correction {
        let ends = Ends(request)
        guard let connection, current[ends]?.connection == connection else { return Correction() }
        guard isPlain else {
            plain[ends] = nil
            return Correction()
        }
        guard var sums = plain[ends] else { return Correction() }
        sums.up = (ByteCount(sums.up) + ByteCount(up)).bytes
        sums.down = (ByteCount(sums.down) + ByteCount(down)).bytes
        sums.open -= 1
        var correction = Correction()
        let isLast = sums.isOver && sums.open == 0 && sums.newest == exchange
        if isLast, let sent = current[ends]?.sent, let received = current[ends]?.received {
            correction.isVerified = true
            correction.unsent = min(up, max(0, sums.up - sent.bytes))
            correction.unseen = max(0, received.bytes - sums.down)
        } else if let received, sums.open == 0, sums.newest == exchange {
            correction.isVerified = true
            correction.unseen = max(0, received - sums.down)
        }
        sums.up -= correction.unsent
        sums.down = (ByteCount(sums.down) + ByteCount(correction.isVerified ? correction.unseen : hidden)).bytes
        plain[ends] = sums
        return correction
    }

    /// What has changed since the last call.
    mutating func takeUntold() -> [ConnectionRecord] {
        guard !untold.isEmpty else { return [] }
        var seen = Set<Ends>()
        defer {
            untold = []
            replaced = []
        }
        return replaced + untold.compactMap { seen.insert($0).inserted ? current[$0] : nil }
    }

    private mutating func take(_ kernel: TapFrame.KernelCount, at ends: Ends) {
        guard let place = current.index(forKey: ends) else { return }
        if kernel.isOver { plain[ends]?.isOver = true }
        current.values[place].sent = ByteCount(kernel.sent)
        current.values[place].received = ByteCount(kernel.received)
        current.values[place].retransmitted = ByteCount(kernel.retransmitted)
        current.values[place].roundTrip = kernel.roundTrip
        untold.append(ends)
    }

    static func address(_ address: String, _ port: UInt32) -> String {
        guard port != 0 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
