/// One request and its response, as the origin logged them.
public struct OriginExchange: Sendable {
    /// A run of bytes of one part.
    package struct Run: Hashable, Sendable {
        package var part: MessagePart
        package var count: Int
    }

    /// The number of the exchange among all of the origin, in the order of their first bytes.
    public let sequence: Int
    /// The number of the connection that carried it.
    public let connection: Int
    /// The request; nil if the connection ended before its headers were complete.
    public internal(set) var parsed: OriginRequest?
    /// The request's bytes as received, part by part.
    public internal(set) var request = MessageBytes()
    /// The response's bytes as the kernel accepted them from us, part by part.
    public internal(set) var response = MessageBytes()
    /// Whether the whole request was received and the script has finished.
    public internal(set) var isComplete = false
    /// The request as received, with its headers and framing, up to the origin's limit.
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

    /// The request target; empty if the request line was not complete.
    public var target: String { parsed?.target ?? "" }
    /// The method; empty if the request line was not complete.
    public var method: String { parsed?.method ?? "" }

    /// The response as seen by a client that read only its first `limit` bytes.
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
    /// The number of the connection, in the order in which connections were accepted.
    public let number: Int
    /// The origin's port.
    public let localPort: UInt16
    /// The client's port.
    public let remotePort: UInt16
    /// Bytes read from the connection.
    public internal(set) var receivedBytes = 0
    /// Bytes that the kernel accepted from us.
    public internal(set) var sentBytes = 0
    /// Received bytes that belong to no exchange, because they came while the connection was being closed.
    public internal(set) var strayBytes = 0
    /// The kernel's counters, now or at the close; nil if the kernel does not report them.
    public internal(set) var kernel: KernelCounters?
    /// Whether the origin has closed the connection.
    public internal(set) var isClosed = false
    /// Whether it waits for a request of which no byte has come.
    package internal(set) var isIdle = true
    /// The exchanges in the order of their first bytes.
    public internal(set) var exchanges: [OriginExchange] = []
}

// The descriptions are short, for the messages of failing tests.
extension OriginExchange: CustomStringConvertible {
    /// The method, the target and the counts.
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
