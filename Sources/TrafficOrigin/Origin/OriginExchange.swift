/// One request and its response, as the origin logged them.
public struct OriginExchange: Sendable {
    /// A run of bytes of one part.
    package struct Run: Hashable, Sendable {
        package var part: MessagePart
        package var count: Int
    }

    /// Where it stands among all exchanges of the origin, by the time of the first byte.
    public let sequence: Int
    /// The connection that carried it.
    public let connection: Int
    /// The request; nil where the client was cut before the end of its head.
    public internal(set) var parsed: OriginRequest?
    /// The request's bytes as received, part by part.
    public internal(set) var request = MessageBytes()
    /// The response's bytes as the kernel took them from us, part by part.
    public internal(set) var response = MessageBytes()
    /// Whether the request was received and the script run to their ends.
    public internal(set) var isComplete = false
    /// The request as received, head and framing included, up to the origin's limit.
    package internal(set) var requestLog: ByteLog
    /// The response as written, up to the origin's limit.
    package internal(set) var responseLog: ByteLog
    /// The response's parts in the order in which they were written.
    package internal(set) var responseRuns: [Run] = []

    init(sequence: Int, connection: Int, limit: Int) {
        self.sequence = sequence
        self.connection = connection
        requestLog = ByteLog(limit: limit)
        responseLog = ByteLog(limit: limit)
    }

    /// The request target; empty where the request line did not come whole.
    public var target: String { parsed?.target ?? "" }
    /// The method; empty where the request line did not come whole.
    public var method: String { parsed?.method ?? "" }

    /// What a client holds of the response that took only the first bytes of it.
    package func response(upTo limit: Int) -> MessageBytes {
        var left = limit
        var result = MessageBytes()
        for run in responseRuns where left > 0 {
            let count = min(run.count, left)
            result.add(count, to: run.part)
            left -= count
        }
        return result
    }

    mutating func wrote(_ bytes: some Collection<UInt8>, as part: MessagePart) {
        guard !bytes.isEmpty else { return }
        response.add(bytes.count, to: part)
        responseLog.append(bytes)
        if responseRuns.last?.part == part {
            responseRuns[responseRuns.count - 1].count += bytes.count
        } else {
            responseRuns.append(Run(part: part, count: bytes.count))
        }
    }
}

/// One connection, as the origin logged it.
public struct OriginConnectionLog: Sendable {
    /// Where it stands among all connections, by the time of its accept.
    public let number: Int
    /// The origin's port.
    public let localPort: UInt16
    /// The client's port.
    public let remotePort: UInt16
    /// Bytes read from it.
    public internal(set) var receivedBytes = 0
    /// Bytes that the kernel took from us.
    public internal(set) var sentBytes = 0
    /// Bytes received that belong to no exchange: what came while the connection was being closed.
    public internal(set) var strayBytes = 0
    /// What the kernel says now, or said at the end; nil where it does not tell.
    public internal(set) var kernel: KernelCounters?
    /// Whether it is closed.
    public internal(set) var isClosed = false
    /// Whether it waits for a request and none has begun.
    package internal(set) var isIdle = true
    /// Its exchanges in order.
    public internal(set) var exchanges: [OriginExchange] = []
}

// Short, for the messages of tests that fail.
extension OriginExchange: CustomStringConvertible {
    /// The request line's words and the counts.
    public var description: String {
        "\(method) \(target) up \(request.total) down \(response.total)\(isComplete ? "" : " incomplete")"
    }
}

extension OriginConnectionLog: CustomStringConvertible {
    /// The ports, the counts and the exchanges.
    public var description: String {
        "connection \(number) \(remotePort)-\(localPort) up \(receivedBytes) down \(sentBytes) stray \(strayBytes) "
            + "\(isClosed ? "closed" : "open") \(exchanges)"
    }
}
