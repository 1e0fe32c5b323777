internal import HTTPWire
internal import TrafficModel

/// Splits a connection's bytes into requests, within limits (RFC 9112, section 6.3).
package struct RequestReader {
    /// The largest start line and headers together, in bytes.
    static let headLimit = 32 << 10
    /// The largest content, in bytes.
    static let bodyLimit = 64 << 10

    private var buffer: [UInt8] = []
    private var searched = 0

    package init() {}

    /// Adds bytes that were read from the connection.
    package mutating func add(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

    /// Whether no byte of a next request has arrived.
    var isEmpty: Bool { buffer.isEmpty }

    /// The next request; nil until all of it has arrived.
    ///
    /// - Throws: ``Refusal``; after that the connection cannot be used.
    package mutating func next() throws(Refusal) -> Request? {
        guard let end = headEnd() else {
            if buffer.count > Self.headLimit { throw Self.headTooLarge }
            return nil
        }
        if end > Self.headLimit { throw Self.headTooLarge }
        let head = RequestHead(buffer[..<end])
        guard head.httpVersion == "1.1" || head.httpVersion == "1.0" else {
            throw .wrong(.version)
        }
        // No browser sends chunks, and requests of ambiguous length are a way to smuggle requests.
        if head.lines.fields.namesTransferCoding { throw .wrong(.transferCoding) }
        var length: Int64 = 0
        if head.lines.fields.firstValue(of: "Content-Length") != nil {
            guard let named = head.lines.fields.contentLength else { throw .wrong(.contentLength) }
            length = named
        }
        if length > Int64(Self.bodyLimit) {
            throw Refusal(status: 413, code: "tooLarge", phrase: .contentTooLarge)
        }
        guard buffer.count - end >= Int(length) else { return nil }
        let body = Array(buffer[end..<(end + Int(length))])
        buffer.removeSubrange(..<(end + Int(length)))
        searched = 0
        guard let request = Request(head, body: body) else { throw .wrong(.target) }
        return request
    }

    private static let headTooLarge = Refusal(status: 431, code: "tooLarge", phrase: .headTooLarge)

    /// The offset after the headers and the empty line that ends them; nil if they are incomplete.
    private mutating func headEnd() -> Int? {
        // Ignore empty lines before a request (RFC 9112, section 2.2).
        while searched == 0, let first = buffer.first, first == 13 || first == 10 { buffer.removeFirst() }
        var index = max(0, searched - 3)
        while index + 3 < buffer.count {
            if buffer[index + 3] == 10, buffer[index + 2] == 13, buffer[index + 1] == 10, buffer[index] == 13 {
                return index + 4
            }
            index += 1
        }
        searched = buffer.count
        return nil
    }
}
