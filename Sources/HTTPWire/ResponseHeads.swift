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
            let words = lines.startLine.split(
                separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: true)
            httpVersion = words.first.map { String(decoding: $0.dropFirst(5), as: UTF8.self) } ?? ""
            status = words.count > 1 ? UInt16(String(decoding: words[1], as: UTF8.self)).map(Int.init) ?? 0 : 0
            reason = words.count > 2 ? String(decoding: words[2], as: UTF8.self) : ""
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
    package init(_ pieces: [[UInt8]]) {
        let bytes = pieces.count == 1 ? pieces[0] : Array(pieces.joined())
        byteCount = bytes.count
        for head in Self.split(bytes) { add(head) }
    }

    private static let mark = Array("HTTP/".utf8)

    /// Splits the bytes into responses; each starts with a status line.
    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var starts: [Int] = [0]
        var index = 0
        while let lineEnd = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) {
            index = lineEnd + 1
            if bytes[index...].starts(with: mark) { starts.append(index) }
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { bytes[$0..<$1] }
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
        var lineStart = bytes.startIndex
        while let lineEnd = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[lineStart..<lineEnd]
            if line.isEmpty || line.elementsEqual([13]) { return lineEnd + 1 }
            lineStart = lineEnd + 1
        }
        return nil
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
            cookies: .init(ByteCount(final?.lines.size(ofField: "Set-Cookie") ?? 0), evidence),
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
