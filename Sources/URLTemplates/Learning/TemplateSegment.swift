/// The class of a segment, from which the trie decides about its position.
enum TemplateSegment {
    /// Stays whatever other values the position has: a word such as `me` or `latest`, a version, a locale, an
    /// operation.
    case kept
    /// Found by a rule, such as `{id}`; it does not count as a value of the position.
    case ruled
    /// A language, such as `fr`; even many languages do not make a position a parameter.
    case language
    /// A plain word.
    case word
    /// A word that looks made up: it has a digit, an escape or four parts.
    case value

    private static let separatorsOfValue = 3
    private static let longWord = 32
    private static let longestKept = 16

    init(_ segment: String) {
        if Self.isKept(segment) {
            self = .kept
        } else if Self.parameterEnd(segment) != nil {
            self = .ruled
        } else if KeptWords.isLanguage(segment) {
            self = .language
        } else {
            self = Self.looksMadeUp(segment) ? .value : .word
        }
    }

    /// Whether a segment is ``kept``; faster than making a `TemplateSegment`.
    static func isKept(_ segment: String) -> Bool {
        guard let first = segment.utf8.first, first != UInt8(ascii: "?") else { return true }
        return first != UInt8(ascii: "{") && segment.utf8.count <= longestKept && KeptWords.contains(segment)
    }

    private static func looksMadeUp(_ segment: String) -> Bool {
        var separators = 0
        var length = 0
        var isInside = false
        for byte in segment.utf8 {
            if isInside || byte == UInt8(ascii: "{") {
                isInside = byte != UInt8(ascii: "}")
                continue
            }
            length += 1
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"): separators += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
                continue
            default: return true
            }
        }
        return separators >= separatorsOfValue || length > longWord
    }

    /// The index after the name's brace in `{name}` or `{name}.json`; nil if the segment has more in it.
    static func parameterEnd(_ segment: String) -> String.Index? {
        guard segment.utf8.first == UInt8(ascii: "{"),
            let close = segment.utf8.firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let end = segment.utf8.index(after: close)
        return segment[end...].isEmpty || segment[end...] == ending(of: segment) ? end : nil
    }

    /// The ending of a file, with its dot, which distinguishes the values of a parameter; empty if there is none.
    static func ending(of segment: String) -> Substring {
        guard let dot = segment.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let ending = segment[segment.utf8.index(after: dot)...]
        return ending.utf8.count <= 5 && endings.contains(ending.lowercased()) ? segment[dot...] : ""
    }

    private static let endings: Set<String> = [
        "aac", "apk", "avif", "bin", "bz2", "css", "csv", "deb", "flac", "gif", "gz", "html", "ico", "jpeg", "jpg",
        "js",
        "json", "jsonl", "m3u8", "m4s", "map", "md", "mjs", "mp3", "mp4", "mpd", "mvt", "ogg", "otf", "pbf", "pdf",
        "php", "png", "rss", "svg", "tgz", "ts", "ttf", "txt", "wasm", "wav", "webm", "webp", "whl", "woff", "woff2",
        "xml", "xz", "yaml", "yml", "zip", "zst",
    ]

    // MARK: Names

    /// The name of a parameter, from the segment before it: `{user}` after `users`, else `{value}`.
    static func parameter(behind before: String) -> String {
        let isName =
            (3...32).contains(before.utf8.count) && TemplateSegment(before) == .word
            && before.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isName else { return "{value}" }
        let name = singular(before)
        return ruleNames.contains(name) ? "{value}" : "{\(name)}"
    }

    /// The names that rules give to parameters; learned ones have other names, so that a stored template distinguishes
    /// them.
    private static let ruleNames: Set<String> = [
        "date", "email", "hash", "id", "list", "number", "secret", "token", "ulid", "uuid",
    ]

    private static let unchanged: Set<String> = ["series", "species", "news", "movies", "cookies"]

    private static func singular(_ word: String) -> String {
        if word == "movies" || word == "cookies" { return String(word.dropLast()) }
        if unchanged.contains(word) { return word }
        if word.hasSuffix("ies"), word.count > 4 { return String(word.dropLast(3)) + "y" }
        for ending in ["sses", "xes", "ches", "shes", "zzes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
        return word.hasSuffix("s") ? String(word.dropLast()) : word
    }
}
