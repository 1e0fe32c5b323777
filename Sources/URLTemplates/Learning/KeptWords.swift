internal import ASCIIBytes
internal import TrafficModel

/// Words that stay part of a template at any position, however many values occur beside them.
enum KeptWords {
    /// Whether a segment is such a word, a version or a locale with its region.
    static func contains(_ segment: String) -> Bool {
        words.contains(segment) || isVersion(segment.utf8) || isRegionalLocale(segment)
    }

    /// Whether the whole segment is a language of ISO 639-1.
    static func isLanguage(_ segment: String) -> Bool { segment.utf8.count == 2 && languages.contains(segment[...]) }

    private static let words: Set<String> = [
        "…", "@me", "active", "all", "any", "archive", "archived", "authorize", "avatar", "batch", "bulk", "callback",
        "cancel", "confirm", "copy", "count", "create", "current", "default", "delete", "details", "download", "draft",
        "edit", "exists", "export", "favicon.ico", "feed", "first", "follow", "health", "history", "import", "inbox",
        "index.html", "info", "last", "latest", "like", "list", "login", "logout", "manifest.json", "me", "metadata",
        "mine", "my", "myself", "new", "newest", "next", "none", "owner", "ping", "popular", "preview", "previous",
        "profile", "recent", "register", "reset", "restore", "robots.txt", "root", "search", "self", "settings",
        "share", "sitemap.xml", "stats", "status", "stream", "submit", "subscribe", "suggest", "summary", "sync",
        "token", "top", "trending", "unread", "update", "upload", "validate", "verify", "version", "viewer", "whoami",
    ]

    /// `v2`, `v1.1`, `v1beta1`.
    private static func isVersion(_ bytes: String.UTF8View) -> Bool {
        guard bytes.count >= 2, bytes.count <= 8, let first = bytes.first, first | 0x20 == UInt8(ascii: "v") else {
            return false
        }
        var rest = bytes.dropFirst()
        let major = rest.prefix(while: ASCII.isDigit).count
        guard major == 1 || major == 2 else { return false }
        rest = rest.dropFirst(major)
        guard let mark = rest.first else { return true }
        if mark == UInt8(ascii: ".") {
            let minor = rest.dropFirst()
            return (1...2).contains(minor.count) && minor.allSatisfy(ASCII.isDigit)
        }
        for stage in ["alpha", "beta", "rc"] where rest.starts(with: stage.utf8) {
            return rest.dropFirst(stage.utf8.count).allSatisfy(ASCII.isDigit)
        }
        return false
    }

    /// `en-US`, `pt_BR`, `zh-Hant-TW`, `es-419`: a language, perhaps a script, a region (RFC 5646, section 2.1).
    private static func isRegionalLocale(_ segment: String) -> Bool {
        guard let separator = segment.utf8.dropFirst(2).first,
            separator == UInt8(ascii: "-") || separator == UInt8(ascii: "_")
        else { return false }
        let sign: Character = separator == UInt8(ascii: "-") ? "-" : "_"
        let parts = segment.split(separator: sign, omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, languages.contains(parts[0]) else { return false }
        if parts.count == 3 || parts[1].utf8.count == 4 {
            guard parts[1].utf8.count == 4, parts[1].utf8.allSatisfy(ASCII.isLetter) else { return false }
            // A script alone: `zh-Hant`, but not `no-news`.
            if parts.count == 2 { return parts[1].utf8.first.map { $0 & 0x20 == 0 } ?? false }
        }
        let region = parts[parts.count - 1].utf8
        return region.count == 2
            ? region.allSatisfy(ASCII.isLetter) : region.count == 3 && region.allSatisfy(ASCII.isDigit)
    }

    private static let languages = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
        en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu \
        ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na \
        nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so \
        sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(separator: " "))
}
