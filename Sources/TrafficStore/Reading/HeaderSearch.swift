internal import ASCIIBytes
internal import TrafficModel

/// Looks for a pattern in header sections as they are stored.
final class HeaderSearch {
    /// What a shape says about all sections that have it.
    private enum Answer {
        case yes, no
        /// Some values have to be looked at: those of the tokens that are marked.
        case depends([(line: Int64, kind: LineKind, isCandidate: Bool)])
    }

    private let key: FilterKey
    private let matcher: PatternMatcher
    // What names a header; nil if the pattern is looked for anywhere in the line.
    private let header: HeaderPattern?
    private var shapes = NumberedCache<Answer>()
    private var line: [UInt8] = []

    init(_ key: FilterKey, _ matcher: PatternMatcher) {
        self.key = key
        self.matcher = matcher
        let header = HeaderPattern(key, matcher.pattern)
        self.header = key == .text || header.isWholeLine ? nil : header
    }

    /// Whether a line of the section in that blob matches.
    ///
    /// - Parameters:
    ///   - blob: the section, as ``FieldEncoder`` writes it.
    ///   - moment: the message's own time.
    ///   - decoder: reads the lines and shapes.
    /// - Returns: the same as a comparison of each line of the decoded section.
    /// - Throws: the error of SQLite.
    func isFound(
        in blob: UnsafeRawBufferPointer, moment: @autoclosure () -> Timestamp, _ decoder: FieldDecoder
    ) throws -> Bool {
        if blob.isEmpty { return false }
        var reader = ByteReader(blob)
        let shape = Int64(bitPattern: reader.varint())
        guard shape != 0 else {
            var reader = ByteReader(blob)
            return try decoder.decode(&reader, moment: moment()).lines.contains(where: matches)
        }
        let answer: Answer
        if let known = shapes[shape] {
            answer = known
        } else {
            answer = try self.answer(of: shape, decoder)
            shapes[shape] = answer
        }
        guard case .depends(let tokens) = answer else {
            if case .yes = answer { return true }
            return false
        }
        let seconds = moment().seconds
        for token in tokens {
            guard token.isCandidate else {
                ValueCoding.skip(token.kind, from: &reader)
                continue
            }
            line.removeAll(keepingCapacity: true)
            if token.line != 0 { line += try decoder.line(token.line) }
            ValueCoding.read(token.kind, from: &reader, seconds: seconds, to: &line)
            if matches(line[...]) { return true }
        }
        return false
    }

    private func matches(_ line: ArraySlice<UInt8>) -> Bool {
        header?.matches(line) ?? matcher.matches(FieldSection.trimmed(line), .part)
    }

    private func answer(of shape: Int64, _ decoder: FieldDecoder) throws -> Answer {
        var tokens: [(line: Int64, kind: LineKind, isCandidate: Bool)] = []
        for token in try decoder.tokens(ofShape: shape) {
            let line = token.line == 0 ? [] : try decoder.line(token.line)
            if token.kind == .known {
                if matches(line[...]) { return .yes }
                continue
            }
            if token.kind != .raw, isDecided(byStart: line[...]) { return .yes }
            tokens.append((token.line, token.kind, mayMatch(line, token.kind)))
        }
        return tokens.contains { $0.isCandidate } ? .depends(tokens) : .no
    }

    // Whether every line that starts like this matches, whatever its value.
    private func isDecided(byStart line: ArraySlice<UInt8>) -> Bool {
        (key == .has || matcher.pattern.needle != nil) && matches(line)
    }

    // Whether a line that starts like this may match with a value of that kind.
    private func mayMatch(_ start: [UInt8], _ kind: LineKind) -> Bool {
        if kind == .raw { return true }
        if key == .has { return false }
        if let header {
            guard header.isNamed(start[...]) else { return false }
            return header.value?.needle.map { kind.mayContain($0[...], isStart: false) } ?? true
        }
        guard let needle = matcher.pattern.needle else { return true }
        // The needle begins in the start of the line, or in the value.
        let start = start.map(ASCII.lowercased)
        return (0...needle.count).contains { count in
            start.ends(with: needle[..<count]) && kind.mayContain(needle[count...], isStart: count > 0)
        }
    }
}

extension LineKind {
    // `a` is a letter and `0` a digit: see ``HTTPDate``.
    private static let dateForm = Array("aaa, 00 aaa 0000 00:00:00 GMT".utf8)

    /// Whether there may be a value of this kind with those bytes, which are in lower case: at its start, or anywhere.
    func mayContain(_ bytes: ArraySlice<UInt8>, isStart: Bool) -> Bool {
        switch self {
        case .known: false
        case .raw, .text: true
        case .decimal: bytes.allSatisfy(ASCII.isDigit)
        case .hex: bytes.allSatisfy(ASCII.isHex)
        case .uuid: bytes.allSatisfy { ASCII.isHex($0) || $0 == UInt8(ascii: "-") }
        case .quotedHex: bytes.allSatisfy { ASCII.isHex($0) || $0 == UInt8(ascii: "\"") }
        case .date: Self.isInDate(bytes, isStart: isStart)
        }
    }

    private static func isInDate(_ bytes: ArraySlice<UInt8>, isStart: Bool) -> Bool {
        guard bytes.count <= dateForm.count else { return false }
        return (0...(isStart ? 0 : dateForm.count - bytes.count)).contains { offset in
            zip(bytes, dateForm[offset...]).allSatisfy { byte, form in
                switch form {
                case UInt8(ascii: "a"): ASCII.isLetter(byte)
                case UInt8(ascii: "0"): ASCII.isDigit(byte)
                default: byte == ASCII.lowercased(form)
                }
            }
        }
    }
}

extension RandomAccessCollection<UInt8> {
    fileprivate func ends(with bytes: ArraySlice<UInt8>) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
