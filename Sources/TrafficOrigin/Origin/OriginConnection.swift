import Foundation
import Locks

/// Serves one connection on a thread: it reads requests, gets a script for each from the handler, and performs it.
final class OriginConnection: Sendable {
    /// How a script ended.
    private enum Ending {
        case keepsOpen
        case closes
        case gone
    }

    let socket: Socket
    private let log: Mutex<OriginConnectionLog>
    private let stopped = Atomic(false)
    private let limit: Int
    private let handler: @Sendable (OriginRequest) -> Script
    private let nextSequence: @Sendable () -> Int

    init(
        socket: Socket, number: Int, limit: Int, nextSequence: @escaping @Sendable () -> Int,
        handler: @escaping @Sendable (OriginRequest) -> Script
    ) {
        self.socket = socket
        let ports = socket.ports
        log = Mutex(OriginConnectionLog(number: number, localPort: ports.local, remotePort: ports.remote))
        self.limit = limit
        self.nextSequence = nextSequence
        self.handler = handler
    }

    /// The log so far.
    var snapshot: OriginConnectionLog {
        log.withLock { log in
            var result = log
            if !log.isClosed { result.kernel = kernel(log) }
            return result
        }
    }

    /// Whether the connection waits for a request of which no byte has come.
    var isIdle: Bool { log.withLock { $0.isIdle } }

    /// Makes the thread stop waiting and end soon.
    func stop() {
        stopped.store(true, ordering: .relaxed)
        // Under the lock, because the number of a closed descriptor may already belong to another file.
        log.withLock { if !$0.isClosed { socket.endBoth() } }
    }

    /// Serves the connection to its end.
    func run() {
        var input = InputBuffer()
        while serveExchange(&input) {}
        finish(&input, reset: false)
    }

    private func serveExchange(_ input: inout InputBuffer) -> Bool {
        var parser = RequestParser(bodyLimit: limit)
        while parser.request == nil {
            guard feed(&parser, &input) else { return false }
        }
        guard let request = parser.request else { return false }
        switch perform(handler(request), &parser, &input) {
        case .keepsOpen: break
        case .closes, .gone: return false
        }
        // A script may have responded early; the rest of the request still belongs to this exchange.
        while !parser.isDone {
            guard feed(&parser, &input) else { return false }
        }
        update {
            $0.exchanges[$0.exchanges.count - 1].isComplete = true
            $0.isIdle = input.isEmpty
        }
        return !request.wantsClose
    }

    // MARK: Reading

    /// Parses the bytes that were read, or reads more; returns false at the end of the input.
    private func feed(_ parser: inout RequestParser, _ input: inout InputBuffer) -> Bool {
        while input.isEmpty {
            guard fill(&input) else { return false }
        }
        let begins = !parser.hasBegun
        input.drop(parser.consume(input.bytes))
        update { log in
            if begins {
                log.isIdle = false
                log.exchanges.append(
                    OriginExchange(sequence: nextSequence(), connection: log.number, limit: limit))
            }
            let last = log.exchanges.count - 1
            log.exchanges[last].request = parser.bytes
            log.exchanges[last].requestLog = parser.raw
            if log.exchanges[last].parsed == nil || parser.isDone {
                log.exchanges[last].parsed = parser.requestWithBody
            }
        }
        return true
    }

    /// Waits for the socket and reads once; returns false at the end of the input.
    private func fill(_ input: inout InputBuffer, milliseconds: Int32 = 1_000) -> Bool {
        guard !stopped.load(ordering: .relaxed) else { return false }
        socket.wait(milliseconds: milliseconds)
        // Count the bytes under the lock that `stop` and snapshots take, so that no snapshot has a response but not the
        // bytes of its request.
        return log.withLock { log in
            switch input.read(from: socket) {
            case .bytes(let count):
                log.receivedBytes += count
                log.isIdle = false
                return true
            case .wouldBlock: return true
            case .end, .failed: return false
            }
        }
    }

    private func readBody(_ parser: inout RequestParser, _ input: inout InputBuffer, upTo count: Int = .max) -> Bool {
        let target = parser.bytes.body.addingReportingOverflow(count)
        while !parser.isDone, target.overflow || parser.bytes.body < target.partialValue {
            guard feed(&parser, &input) else { return false }
        }
        return true
    }

    // MARK: Writing

    private func perform(_ script: Script, _ parser: inout RequestParser, _ input: inout InputBuffer) -> Ending {
        for step in script.steps {
            guard !stopped.load(ordering: .relaxed) else { return .gone }
            if script.readsBodyFirst, step.writesFinalResponse {
                guard readBody(&parser, &input) else { return .gone }
            }
            switch step.action {
            case .write(let segments):
                guard write(segments) else { return .gone }
            case .fill(let count):
                guard fill(count: count) else { return .gone }
            case .fillChunks(let count, let size):
                let segments = Script.Chunk(Script.pattern(count: size)).segments
                for _ in 0..<count {
                    guard write(segments) else { return .gone }
                }
            case .readRequestBody:
                guard readBody(&parser, &input) else { return .gone }
            case .readSome(let count):
                guard readBody(&parser, &input, upTo: count) else { return .gone }
            case .pause(let milliseconds): wait(milliseconds: milliseconds) { socket.peerIsGone }
            case .hold:
                wait(milliseconds: .max) { socket.peerIsGone }
                return .gone
            case .awaitDelivery: awaitDelivery()
            case .close:
                markComplete()
                return .closes
            case .hangUp:
                markComplete()
                close(isReset: false)
                return .gone
            case .reset:
                markComplete()
                finish(&input, reset: true)
                return .gone
            case .then(let next):
                guard readBody(&parser, &input), let request = parser.requestWithBody else { return .gone }
                let ending = perform(next(request), &parser, &input)
                guard ending == .keepsOpen else { return ending }
            }
        }
        return stopped.load(ordering: .relaxed) ? .gone : .keepsOpen
    }

    private func markComplete() {
        update { $0.exchanges[$0.exchanges.count - 1].isComplete = true }
    }

    private func fill(count: Int) -> Bool {
        let block = Script.pattern(count: 26 * 2_520)
        var left = count
        while left > 0 {
            let piece = left < block.count ? Array(block.prefix(left)) : block
            guard write([Script.Segment(piece, as: .body)]) else { return false }
            left -= piece.count
        }
        return true
    }

    /// Writes all segments in one piece; returns false if the peer is gone.
    ///
    /// The bytes that the kernel accepted are logged in either case.
    private func write(_ segments: [Script.Segment]) -> Bool {
        let bytes = segments.count == 1 ? segments[0].bytes : segments.flatMap(\.bytes)
        var runs = segments[...].map { (part: $0.part, count: $0.bytes.count) }[...]
        var offset = 0
        while offset < bytes.count {
            guard !stopped.load(ordering: .relaxed) else { return false }
            let result = log.withLock { log in
                let result = bytes.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
                if case .bytes(var left) = result {
                    log.sentBytes += left
                    while left > 0 {
                        let taken = min(left, runs[runs.startIndex].count)
                        log.exchanges[log.exchanges.count - 1].wrote(
                            bytes[offset..<(offset + taken)], as: runs[runs.startIndex].part)
                        offset += taken
                        left -= taken
                        runs[runs.startIndex].count -= taken
                        if runs[runs.startIndex].count == 0 { runs.removeFirst() }
                    }
                }
                return result
            }
            switch result {
            case .bytes: break
            case .wouldBlock: socket.wait(toWrite: true, milliseconds: 1_000)
            case .end, .failed: return false
            }
        }
        return true
    }

    // MARK: Waiting and ending

    private func wait(milliseconds: Int, until condition: () -> Bool) {
        // A wait of `.max` milliseconds lasts practically for ever.
        let end = ProcessInfo.processInfo.systemUptime + Double(milliseconds) / 1_000
        while !stopped.load(ordering: .relaxed), !condition() {
            let left = end - ProcessInfo.processInfo.systemUptime
            guard left > 0 else { return }
            Thread.sleep(forTimeInterval: min(left, 0.005))
        }
    }

    private func awaitDelivery() {
        let sent = snapshot.sentBytes
        wait(milliseconds: 2_000) {
            KernelCounters(descriptor: socket.descriptor).map { $0.acknowledged >= sent } ?? true
        }
    }

    /// Closes the connection.
    ///
    /// Unless it resets, it first reads to the client's end, because unread bytes would turn the FIN into a RST.
    private func finish(_ input: inout InputBuffer, reset: Bool) {
        guard !snapshot.isClosed else { return }
        if reset {
            close(isReset: true)
            return
        }
        socket.endWriting()
        // Some clients keep their end open for long, so the connection counts as idle already.
        if input.isEmpty { update { $0.isIdle = true } }
        let deadline = ProcessInfo.processInfo.systemUptime + 5
        var stray = input.bytes.count
        input.drop(stray)
        while ProcessInfo.processInfo.systemUptime < deadline, fill(&input, milliseconds: 100) {
            stray += input.bytes.count
            input.drop(input.bytes.count)
        }
        update { $0.strayBytes += stray }
        close(isReset: false)
    }

    private func close(isReset: Bool) {
        update { log in
            log.kernel = kernel(log)
            log.isClosed = true
            log.isIdle = true
            if isReset { socket.reset() } else { socket.close() }
        }
    }

    private func kernel(_ log: OriginConnectionLog) -> KernelCounters? {
        var result = KernelCounters(descriptor: socket.descriptor)
        // The kernel counts an acknowledged FIN as one byte, so limit the count to the bytes written.
        if let count = result?.acknowledged { result?.acknowledged = min(count, log.sentBytes) }
        return result
    }

    private func update(_ change: (inout OriginConnectionLog) -> Void) {
        log.withLock { change(&$0) }
    }
}

extension Script.Step {
    fileprivate var writesFinalResponse: Bool {
        switch action {
        case .write(let segments): segments.contains { $0.part != .interim }
        case .fill, .fillChunks: true
        default: false
        }
    }
}
