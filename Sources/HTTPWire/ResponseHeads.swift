package import TrafficModel

/// The heads that answer one request: interim responses, then the final one (RFC 9110, section 15.2).
package struct ResponseHeads {
    /// One head.
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

        /// 101 is the last response on its connection that is HTTP, so it is final (RFC 9110, section 15.2.2).
        var isInterim: Bool { (100..<200).contains(status) && status != 101 }
    }

    /// Responses of which each was followed by another though it was final.
    package struct Superseded {
        package var count = 0
        /// Their bytes.
        package var size = 0
        /// Whether one came without the empty line that must have ended it.
        package var lacksEnd = false
    }

    /// The final response's head; nil while only interim ones have come.
    package private(set) var final: Head?
    /// How many interim responses came.
    package private(set) var interimCount = 0
    /// Their bytes.
    package private(set) var interimSize = 0
    /// The responses among them that were superseded: a 101, and what a server answered before it answered again.
    package private(set) var superseded = Superseded()
    /// How many of them came without the empty line that must have ended them on the wire: libcurl does not show it.
    package private(set) var interimWithoutEnd = 0
    /// Bytes of lines behind the final head: trailers that are shown as if they were a head (HTTP/2).
    package private(set) var trailerSize = 0
    /// All bytes.
    package private(set) var byteCount = 0

    /// Reads the heads from their bytes, in the pieces in which they came: in any split.
    package init(_ pieces: [[UInt8]]) {
        let bytes = pieces.count == 1 ? pieces[0] : Array(pieces.joined())
        byteCount = bytes.count
        for head in Self.split(bytes) { add(head) }
    }

    private static let mark = Array("HTTP/".utf8)

    /// Parts the heads: a status line begins one.
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
            // 101, and then an answer in the new protocol; or a server that answers twice. What came first was on the
            // wire all the same.
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

    /// Behind the first empty line.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var lineStart = bytes.startIndex
        while let lineEnd = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[lineStart..<lineEnd]
            if line.isEmpty || line.elementsEqual([13]) { return lineEnd + 1 }
            lineStart = lineEnd + 1
        }
        return nil
    }

    /// The heads' parts of a ``WireSize``.
    ///
    /// - Parameter missing: bytes that the system's counter has seen and we have not: the line ends behind interim
    ///   responses. Nil while the counter is not known.
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
