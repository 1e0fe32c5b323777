internal import ASCIIBytes

/// The scripts of an HTML page: how many, and from which other sites.
struct PageScripts: Equatable {
    /// The number of script elements.
    private(set) var count = 0
    /// The sites that scripts come from, except the page's own.
    private(set) var sites: Set<String> = []

    /// Finds the scripts of a page that came from that host.
    init(of page: [UInt8], from host: String) {
        let own = Site.of(host)
        page.withUnsafeBufferPointer { page in
            var place = 0
            while let start = Self.find("<script", in: page, from: place) {
                count += 1
                let end = page[start...].firstIndex(of: UInt8(ascii: ">")) ?? page.count
                let tag = String(decoding: page[start..<min(end, start + 2_048)], as: UTF8.self)
                if let source = Self.source(of: tag), let host = Site.host(ofURL: source), Site.of(host) != own {
                    sites.insert(String(Site.of(host).prefix(60)))
                }
                place = end
            }
        }
    }

    /// Whether content without a media type is HTML, judged by its first bytes.
    static func isPage(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.firstIndex(where: { $0 > 0x20 && $0 < 0x80 }), first < 64 else { return false }
            return ["<!doctype html", "<html", "<head", "<script"].contains { (word: StaticString) in
                matches(word, in: bytes, at: first)
            }
        }
    }

    /// The value of `src` in a tag.
    private static func source(of tag: String) -> String? {
        guard let name = tag.lowercased().firstRange(of: "src") else { return nil }
        // Both spellings have the same number of characters, because the name is ASCII.
        let offset = tag.lowercased().distance(from: tag.lowercased().startIndex, to: name.upperBound)
        let rest = tag.dropFirst(offset).drop { $0 == " " }
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0 == " " }
        guard let quote = value.first, quote == "\"" || quote == "'" else {
            return String(value.prefix { !" \t\r\n>".contains($0) })
        }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    private static func find(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            guard let next = bytes[place...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
            if matches(word, in: bytes, at: next) { return next }
            place = next + 1
        }
        return nil
    }

    private static func matches(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        word.withUTF8Buffer { word in
            guard place + word.count <= bytes.count else { return false }
            for offset in 0..<word.count {
                if ASCII.lowercased(bytes[place + offset]) != word[offset] { return false }
            }
            return true
        }
    }
}
