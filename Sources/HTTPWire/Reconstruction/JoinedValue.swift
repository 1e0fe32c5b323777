/// Counts line ends in values that a loader may have joined from several lines (RFC 9110, section 5.3).
enum JoinedValue {
    /// The number of line ends that became commas: those that surely did, and others that may have.
    static func joints(in field: ShownField) -> (sure: Int64, possible: Int64) {
        if field.isNamed("Set-Cookie") {
            // RFC 6265, section 3, advises against joining lines of Set-Cookie. If a loader joins them, each comma is a
            // joint, except the one in a date: values hold no comma (section 4.1.1).
            return (cookieJoints(in: Array(field.value.utf8)), 0)
        }
        if singletons.contains(field.name.lowercasedASCII) { return (0, 0) }
        return (0, commas(in: Array(field.value.utf8)))
    }

    /// Fields that have only one line, unless they are in error; their commas belong to dates and comments.
    private static let singletons: Set<String> = [
        "age", "content-length", "content-location", "content-md5", "content-range", "content-type", "date", "etag",
        "expires", "last-modified", "location", "max-forwards", "retry-after", "server", "strict-transport-security",
        "transfer-encoding",
    ]

    /// The number of commas outside quoted strings that a space follows, as loaders write them.
    private static func commas(in bytes: [UInt8]) -> Int64 {
        var count: Int64 = 0
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isQuoted: index += 1
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted && index + 1 < bytes.count && bytes[index + 1] == 0x20: count += 1
            default: break
            }
            index += 1
        }
        return count
    }

    /// The number of commas that a cookie's name and an equals sign follow.
    private static func cookieJoints(in bytes: [UInt8]) -> Int64 {
        var count: Int64 = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: ",") {
            let rest = bytes[(index + 1)...].drop { $0 == 0x20 }
            let name = rest.prefix { $0 > 0x20 && $0 < 0x7F && !",;=".utf8.contains($0) }
            if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "=") { count += 1 }
        }
        return count
    }
}
