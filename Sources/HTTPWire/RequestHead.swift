package import TrafficModel

/// A request's head (RFC 9112, section 3).
package struct RequestHead {
    package let method: String
    package let target: String
    /// `1.0`, `1.1`, `2`; empty where the line names none.
    package let httpVersion: String
    package let lines: HeadLines

    package init(_ bytes: ArraySlice<UInt8>) {
        lines = HeadLines(bytes)
        let words = lines.startLine.split(separator: UInt8(ascii: " "), maxSplits: 1)
        method = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let rest = words.count > 1 ? words[1] : []
        // A target may hold spaces that a careless client has left in it; the version is what follows the last one.
        if let space = rest.lastIndex(of: UInt8(ascii: " ")), rest[(space + 1)...].starts(with: Array("HTTP/".utf8)) {
            target = String(decoding: rest[..<space], as: UTF8.self)
            httpVersion = String(decoding: rest[(space + 6)...], as: UTF8.self)
        } else {
            target = String(decoding: rest, as: UTF8.self)
            httpVersion = ""
        }
    }

    /// Whether the body is sent in chunks.
    package var isChunked: Bool { lines.fields.namesChunked }

    /// The head's parts of a ``WireSize``.
    ///
    /// Over HTTP/2 libcurl shows a text of version 1.1's shape, not the HPACK bytes that it sent: an estimate.
    package var size: WireSize {
        let evidence: Evidence = httpVersion.hasPrefix("2") ? .reconstructed : .captured
        return WireSize(
            startLine: .init(ByteCount(lines.startLineSize), evidence),
            fields: .init(ByteCount(lines.fieldsSize), evidence),
            cookies: .init(ByteCount(lines.size(ofField: "Cookie")), evidence))
    }
}

extension FieldSection {
    /// Whether the last transfer coding is chunked (RFC 9112, section 6.1).
    package var namesChunked: Bool {
        guard let codings = values(of: "Transfer-Encoding").last else { return false }
        let last = codings.split(separator: ",").last ?? ""
        return last.split(separator: ";").first.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() } == "chunked"
    }

    /// The length that the message says its body has (RFC 9110, section 8.6); nil where it says none or nonsense.
    package var contentLength: Int64? {
        guard let value = values(of: "Content-Length").last else { return nil }
        // Several equal values in one field are allowed (RFC 9110, section 8.6).
        let numbers = value.split(separator: ",").map { Int64($0.filter { $0 != " " && $0 != "\t" }) }
        guard let first = numbers.first, let length = first, length >= 0, numbers.allSatisfy({ $0 == first })
        else { return nil }
        return length
    }
}
