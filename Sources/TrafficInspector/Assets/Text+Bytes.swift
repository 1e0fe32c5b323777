extension String {
    /// The text with another in each place of one.
    ///
    /// It compares bytes. To compare characters takes a hundred times as long, and the page's first visit waits for it.
    func putting(_ new: String, for old: String) -> String {
        guard let first = old.utf8.first else { return self }
        let (text, old) = (Array(utf8), Array(old.utf8))
        var result: [UInt8] = []
        result.reserveCapacity(text.count + new.utf8.count)
        var rest = text[...]
        while let place = rest.firstIndex(of: first) {
            result += rest[..<place]
            if rest[place...].starts(with: old) {
                result += new.utf8
                rest = rest[(place + old.count)...]
            } else {
                result.append(first)
                rest = rest[(place + 1)...]
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// Whether a text is in it, compared by bytes.
    func has(_ text: String) -> Bool { self[...].has(text) }

    /// Its lines without their ends, the empty ones among them.
    var lines: [Substring] { utf8.split(separator: 10, omittingEmptySubsequences: false).map { Substring($0) } }
}

extension Substring {
    /// Whether a text is in it, compared by bytes.
    func has(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        var rest = utf8
        while let place = rest.firstIndex(of: first) {
            if rest[place...].starts(with: text.utf8) { return true }
            rest = rest[rest.index(after: place)...]
        }
        return false
    }
}
