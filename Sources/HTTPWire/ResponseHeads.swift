internal import ASCIIBytes
package import TrafficModel

/// The status lines and headers of one request's responses: interim ones, then the final one (RFC 9110, section 15.2).
package struct ResponseHeads {
    /// The status line and headers of one response.
    package struct Head {
        package let status: Int
        package let reason: String
        /// `1.0`, `1.1`, `2`.
        package let httpVersion: String
        package let lines: HeadLines

        package init(_ bytes: ArraySlice<UInt8>) {
            lines = HeadLines(bytes)
            // HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, section 4)
            let words = StartLineWords(lines.startLine)
            httpVersion = words.version
            status = words.status
            reason = words.reason
        }

        /// Whether it is interim.
        ///
        /// A 101 is final: it is the last HTTP response on its connection (RFC 9110, section 15.2.2).
        var isInterim: Bool { (100..<200).contains(status) && status != 101 }
    }

    /// Responses that were final, and were still followed by another.
    package struct Superseded {
        package var count = 0
        /// The size of their status lines and headers in bytes.
        package var size = 0
        /// Whether one of them came without the empty line that ended it on the wire.
        package var lacksEnd = false
    }

    /// The status line and headers of the final response; nil while only interim ones have come.
    package private(set) var final: Head?
    /// The number of interim responses.
    package private(set) var interimCount = 0
    /// The size of their status lines and headers in bytes.
    package private(set) var interimSize = 0
    /// The superseded responses among them: a 101, and responses of a server that sent another one afterwards.
    package private(set) var superseded = Superseded()
    /// The number of interim responses without the empty line that ended them on the wire; libcurl does not show it.
    package private(set) var interimWithoutEnd = 0
    /// Bytes of lines after the final headers: trailers that libcurl shows as if they were headers (HTTP/2).
    package private(set) var trailerSize = 0
    /// The number of all bytes.
    package private(set) var byteCount = 0

    /// Reads the bytes of status lines and headers, in the pieces in which they came, however they are split.
    package init(_ pieces: [[UInt8]]) { self.init(Array(pieces.joined())) }

    /// Reads the bytes of status lines and headers.
    package init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        var start = 0
        while true {
            let next = bytes.withUnsafeBufferPointer { Self.nextStatusLine(after: start, in: $0) }
            add(bytes[start..<(next ?? bytes.count)])
            guard let next else { return }
            start = next
        }
    }

    private static let mark = Array("HTTP/".utf8)

    /// The index of the next line that begins a response; nil if there is none.
    private static func nextStatusLine(after start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start
        while let lineFeed = ASCII.firstIndex(of: 0x0A, from: index, in: bytes) {
            index = lineFeed + 1
            if index + 5 <= bytes.count, bytes[index] == UInt8(ascii: "H"), bytes[index + 1] == UInt8(ascii: "T"),
                bytes[index + 2] == UInt8(ascii: "T"), bytes[index + 3] == UInt8(ascii: "P"),
                bytes[index + 4] == UInt8(ascii: "/")
            {
                return index
            }
        }
        return nil
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        if !bytes.starts(with: Self.mark) {
            trailerSize += bytes.count
            return
        }
        let end = Self.end(of: bytes) ?? bytes.endIndex
        let head = Head(bytes[..<end])
        if head.isInterim {
            interimCount += 1
            interimSize += bytes.count
            if !head.lines.isComplete { interimWithoutEnd += 1 }
            return
        }
        if let first = final {
            // The first one is a 101 before a response in the new protocol, or the server has responded twice. Its
            // bytes were on the wire, too.
            interimCount += 1
            let size = first.lines.startLineSize + first.lines.fieldsSize
            interimSize += size
            superseded.count += 1
            superseded.size += size
            superseded.lacksEnd = superseded.lacksEnd || !first.lines.isComplete
        }
        final = head
        trailerSize += bytes.endIndex - end
    }

    /// The index after the first empty line.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        let end: Int? = bytes.withUnsafeBufferPointer { bytes in
            var lineStart = 0
            while let lineEnd = ASCII.firstIndex(of: 0x0A, from: lineStart, in: bytes) {
                let count = lineEnd - lineStart
                if count == 0 || count == 1 && bytes[lineStart] == 0x0D { return lineEnd + 1 }
                lineStart = lineEnd + 1
            }
            return nil
        }
        return end.map { bytes.startIndex + $0 }
    }

    /// The parts of a ``WireSize`` that status lines and headers give.
    ///
    /// - Parameter missing: the number of bytes that the system's counter has and the meter has not seen: the line ends
    ///   after interim responses. Nil if the counter is not known.
    /// - Returns: a size without body and framing.
    package func size(missing: Int?) -> WireSize {
        let version = final?.httpVersion ?? ""
        let evidence: Evidence = version.isBinaryHTTP ? .reconstructed : .captured
        var size = WireSize(
            startLine: .init(ByteCount(final?.lines.startLineSize ?? 0), evidence),
            fields: .init(ByteCount(final?.lines.fieldsSize ?? 0), evidence),
            cookies: .init(ByteCount(final?.lines.common.setCookieSize ?? 0), evidence),
            interim: .init(ByteCount(interimSize), evidence))
        guard interimWithoutEnd > 0, evidence == .captured else { return size }
        if let missing, missing == interimWithoutEnd || missing == 2 * interimWithoutEnd {
            size.interim = .init(ByteCount(interimSize + missing), .reported)
        } else {
            size.interim = .init(ByteCount(interimSize + 2 * interimWithoutEnd), .reconstructed)
        }
        return size
    }
}
