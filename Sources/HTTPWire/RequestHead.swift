internal import ASCIIBytes
package import TrafficModel

/// A request's start line and headers (RFC 9112, section 3).
package struct RequestHead {
    package let method: String
    package let target: String
    /// `1.0`, `1.1`, `2`; empty if the line names none.
    package let httpVersion: String
    package let lines: HeadLines

    package init(_ bytes: ArraySlice<UInt8>) {
        lines = HeadLines(bytes)
        (method, target, httpVersion) = lines.startLine.withUnsafeBufferPointer { line in
            let methodEnd = ASCII.firstIndex(of: 0x20, from: 0, in: line) ?? line.count
            let rest = min(methodEnd + 1, line.count)
            // Careless clients leave spaces in a target, so the version is the word after the last space.
            var space = line.count - 1
            while space >= rest, line[space] != 0x20 { space -= 1 }
            let method = StartLineWords.text(line[..<methodEnd])
            guard space >= rest, line[(space + 1)...].starts(with: "HTTP/".utf8) else {
                return (method, StartLineWords.text(line[rest...]), "")
            }
            return (method, StartLineWords.text(line[rest..<space]), StartLineWords.text(line[(space + 6)...]))
        }
    }

    /// Whether the body is sent in chunks.
    package var isChunked: Bool { lines.common.namesChunked }

    /// The parts of a ``WireSize`` that the start line and headers give.
    ///
    /// Over HTTP/2 libcurl shows a text in the form of version 1.1, not the HPACK bytes that it sent; so it is an
    /// estimate.
    package var size: WireSize {
        let evidence: Evidence = httpVersion.isBinaryHTTP ? .reconstructed : .captured
        return WireSize(
            startLine: .init(ByteCount(lines.startLineSize), evidence),
            fields: .init(ByteCount(lines.fieldsSize), evidence),
            cookies: .init(ByteCount(lines.common.cookieSize), evidence))
    }
}

extension FieldSection {
    /// Whether the message names a transfer coding (RFC 9112, section 6.1).
    package var namesTransferCoding: Bool { !transferCodings.isEmpty }

    /// Whether the last transfer coding is chunked (RFC 9112, section 6.1).
    package var namesChunked: Bool {
        transferCodings.last?.split(separator: ";").first.map { Self.trimmed($0).lowercased() } == "chunked"
    }

    private var transferCodings: [Substring] { Self.list(in: values(of: "Transfer-Encoding")) }

    /// The length of the body that the message states (RFC 9110, section 8.6); nil if it states none, or an invalid
    /// one.
    package var contentLength: Int64? {
        let lines = values(of: "Content-Length")
        if lines.count == 1, Self.isNumber(lines[0].utf8) { return Int64(lines[0]) }
        // Several equal values are allowed; if values differ, the length is invalid (RFC 9112, section 6.3).
        let values = Self.list(in: lines)
        guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
        return Self.isNumber(first.utf8) ? Int64(first) : nil
    }

    /// The elements of a list, which may have several lines; empty elements do not count (RFC 9110, section 5.6.1.2).
    private static func list(in lines: [String]) -> [Substring] {
        lines.flatMap { $0.split(separator: ",") }.map(trimmed).filter { !$0.isEmpty }
    }

    private static func isNumber(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(ASCII.isDigit)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        Substring(ASCII.trimmed(text.utf8, of: ASCII.isOptionalSpace))
    }
}
