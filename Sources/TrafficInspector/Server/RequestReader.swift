internal import HTTPWire
internal import TrafficModel

/// Cuts requests out of a connection's bytes, within limits (RFC 9112, section 6.3).
package struct RequestReader {
    /// The longest head.
    static let headLimit = 32 << 10
    /// The longest content.
    static let bodyLimit = 64 << 10

    private var buffer: [UInt8] = []
    private var searched = 0

    package init() {}

    /// Adds what was read.
    package mutating func add(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

    /// Whether nothing of a next request has come.
    var isEmpty: Bool { buffer.isEmpty }

    /// The next request, if it is whole.
    ///
    /// - Throws: ``Refusal``; the connection cannot be used any more then.
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
        // None of our callers sends chunks, and a length that is unclear is how requests are smuggled.
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

    /// Where the head ends, its blank line included.
    private mutating func headEnd() -> Int? {
        // Blank lines before a request are to be overlooked (RFC 9112, section 2.2).
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
