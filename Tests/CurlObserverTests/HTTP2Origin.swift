import Foundation
import Glibc
import Locks

/// A server of HTTP/2 without TLS that sends the frames of a script, and logs every byte.
final class HTTP2Origin: @unchecked Sendable {
    /// What to send for a request, once its header section, or all of it, has come.
    typealias Answer = @Sendable (_ stream: UInt32) -> [[UInt8]]

    /// What one side has sent, counted when all is over and without the code under test.
    struct Count: Equatable {
        var total = 0
        var data = 0
        var fields = 0
        /// Frames that carry neither.
        var others = 0
    }

    /// Where a connection is cut, counted in bytes sent.
    struct Cut {
        var after: Int
        var isReset: Bool
    }

    private let listener: Listener
    private let cut: @Sendable (_ connection: Int) -> Cut?
    private let answer: Answer
    private let isEarly: Bool
    private let isSlow: Bool
    private let endsAfterAnswer: Bool
    private let open = Atomic(0)
    private let logs = Mutex<[Log]>([])

    /// What passed on a connection.
    struct Log {
        var received: [UInt8] = []
        var sent: [UInt8] = []
        /// The same in the order in which it passed.
        var steps: [(isSent: Bool, bytes: [UInt8])] = []

        mutating func receive(_ bytes: some Collection<UInt8>) {
            received += bytes
            steps.append((false, Array(bytes)))
        }

        mutating func send(_ bytes: some Collection<UInt8>) {
            sent += bytes
            steps.append((true, Array(bytes)))
        }
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - isEarly: answers as soon as the header section is there, and not when the request has ended.
    ///   - isSlow: sends each byte on its own.
    ///   - endsAfterAnswer: sends nothing after the first response but a FIN.
    ///   - cut: where a connection is cut; nil for nowhere.
    ///   - answer: frames for a stream.
    /// - Throws: where there is no port to listen on.
    init(
        isEarly: Bool = false, isSlow: Bool = false, endsAfterAnswer: Bool = false,
        cut: @escaping @Sendable (_ connection: Int) -> Cut? = { _ in nil }, answer: @escaping Answer
    ) throws {
        self.answer = answer
        self.endsAfterAnswer = endsAfterAnswer
        self.cut = cut
        self.isEarly = isEarly
        self.isSlow = isSlow
        listener = try Listener()
        listener.accept { self.take($0) }
    }

    /// Waits until every connection has come to its end, half a minute at most: what was sent last may still be on its way.
    func waitUntilClosed() {
        for _ in 0..<3_000 where open.load(ordering: .sequentiallyConsistent) > 0 { usleep(10_000) }
    }

    var port: UInt16 { listener.port }

    func stop() { listener.stop() }

    /// What went over all connections, stream by stream; 0 for the connections themselves.
    var counts: (up: [UInt32: Count], down: [UInt32: Count]) {
        logs.withLock { logs in
            var result: (up: [UInt32: Count], down: [UInt32: Count]) = ([:], [:])
            for log in logs {
                Self.count(log.received, preface: 24, into: &result.up)
                Self.count(log.sent, preface: 0, into: &result.down)
            }
            return result
        }
    }

    var connectionCount: Int { logs.withLock(\.count) }

    /// What passed on each connection, in its order.
    var steps: [[(isSent: Bool, bytes: [UInt8])]] { logs.withLock { $0.map(\.steps) } }

    /// How many bytes went over each connection.
    var sizes: [(received: Int, sent: Int)] { logs.withLock { $0.map { ($0.received.count, $0.sent.count) } } }

    static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
        let length = UInt32(payload.count)
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            + withUnsafeBytes(of: stream.bigEndian) { Array($0) } + payload
    }

    private static func count(_ bytes: [UInt8], preface: Int, into counts: inout [UInt32: Count]) {
        counts[0, default: Count()].total += min(preface, bytes.count)
        var at = preface
        // Asked for in HTTP/1.1, or agreed to (RFC 7540, section 3.2): that is the first exchange's.
        if let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)), !bytes.starts(with: Array("PRI ".utf8)),
            bytes.starts(with: Array("HTTP/1.1 101".utf8)) || preface > 0
        {
            counts[1, default: Count()].total += head.upperBound
            at += head.upperBound
        }
        while at + 9 <= bytes.count {
            let length = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
            let (type, flags) = (bytes[at + 3], bytes[at + 4])
            let stream = bytes[(at + 5)..<(at + 9)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            var content = length
            if flags & 8 != 0, type < 2 { content -= 1 + Int(bytes[at + 9]) }
            if flags & 32 != 0, type == 1 { content -= 5 }
            counts[stream, default: Count()].total += 9 + length
            if type == 0 { counts[stream, default: Count()].data += content }
            if type == 1 || type == 9 { counts[stream, default: Count()].fields += content }
            if type == 3 || type == 8 { counts[stream, default: Count()].others += 9 + length }
            at += 9 + length
        }
    }

    // MARK: serving

    private func take(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let index = logs.withLock { logs in
            logs.append(Log())
            return logs.count - 1
        }
        open.add(1, ordering: .sequentiallyConsistent)
        Thread.detachNewThread {
            self.serve(descriptor, index)
            self.open.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    private func serve(_ descriptor: Int32, _ index: Int) {
        defer { close(descriptor) }
        var received: [UInt8] = []
        var at = 24
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            received += buffer.prefix(count)
            logs.withLock { $0[index].receive(buffer.prefix(count)) }
            if at == 24, !received.starts(with: Array("PRI ".utf8)) {
                guard let head = received.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                at += head.upperBound
                let agreed = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                for bytes in [Array(agreed.utf8), Self.frame(4, 0)] + answer(1)
                where !send(bytes, descriptor, index) { return }
            }
            while at + 9 <= received.count {
                let length = Int(received[at]) << 16 | Int(received[at + 1]) << 8 | Int(received[at + 2])
                guard at + 9 + length <= received.count else { break }
                let stream = received[(at + 5)..<(at + 9)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                let replies = reply(
                    type: received[at + 3], flags: received[at + 4], stream: stream,
                    payload: Array(received[(at + 9)..<(at + 9 + length)]))
                for bytes in replies where !send(bytes, descriptor, index) { return }
                if endsAfterAnswer, received[at + 3] == 1 { return end(descriptor, index, isPatient: true) }
                at += 9 + length
            }
        }
    }

    private func reply(type: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8]) -> [[UInt8]] {
        switch type {
        case 0:
            let credit = withUnsafeBytes(of: UInt32(max(payload.count, 1)).bigEndian) { Array($0) }
            let windows = [Self.frame(8, 0, credit)] + (flags & 1 == 0 ? [Self.frame(8, stream, credit)] : [])
            return windows + (flags & 1 != 0 && !isEarly ? answer(stream) : [])
        case 1, 9:
            let isWhole = flags & 4 != 0
            return isWhole && (isEarly || flags & 1 != 0) ? answer(stream) : []
        case 4: return flags & 1 == 0 ? [Self.frame(4, 0), Self.frame(4, flags: 1, 0)] : []
        case 6: return flags & 1 == 0 ? [Self.frame(6, flags: 1, 0, payload)] : []
        default: return []
        }
    }

    private func send(_ bytes: [UInt8], _ descriptor: Int32, _ index: Int) -> Bool {
        var rest = bytes[...]
        let cut = cut(index)
        while !rest.isEmpty {
            let room = cut.map { cut in cut.after - logs.withLock { $0[index].sent.count } } ?? .max
            guard room > 0 else {
                end(descriptor, index, isReset: cut?.isReset == true)
                return false
            }
            let piece = Array(rest.prefix(isSlow ? 1 : room))
            let count = Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            logs.withLock { $0[index].send(rest.prefix(count)) }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether a client has sent the header section of a request, in frames or in HTTP/1.1.
    private static func hasRequest(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: Array("PRI ".utf8)) else { return true }
        var counts: [UInt32: Count] = [:]
        count(bytes, preface: 24, into: &counts)
        return counts.values.contains { $0.fields > 0 }
    }

    /// Cuts the connection once all that was sent has arrived; who is patient leaves the client time to do so.
    private func end(_ descriptor: Int32, _ index: Int, isReset: Bool = false, isPatient: Bool = false) {
        var waiting: Int32 = 0
        // SIOCOUTQ: what the other side has not acknowledged.
        for _ in 0..<50 where ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 && waiting > 0 { usleep(1_000) }
        // Time to take it, and to answer: what libcurl meets must not hang on whether it was sending.
        let settled: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for round in 0..<(isReset ? 2_000 : isPatient ? 60 : 10) {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || (count < 0 && errno != EAGAIN) { break }
            if count > 0 { logs.withLock { $0[index].receive(buffer.prefix(count)) } }
            let log = logs.withLock { $0[index] }
            let isAnswered = log.sent.count < 9 || log.received.firstRange(of: settled) != nil
            let isSettled = isAnswered && (!isReset || Self.hasRequest(log.received))
            if round > 1 && isSettled && !isPatient { break }
            usleep(1_000)
        }
        if isReset {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return
        }
        shutdown(descriptor, Int32(SHUT_WR))
        // Something unread would turn the end into a reset.
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            logs.withLock { $0[index].receive(buffer.prefix(count)) }
        }
    }
}
