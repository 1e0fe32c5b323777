internal import ASCIIBytes
internal import TrafficModel

/// The operation that the query of a GraphQL request over GET names.
///
/// The name is in `operationName` (GraphQL over HTTP, section 6.2.1), or in the document itself: `query=query Feed
/// {…}`.
enum GraphQLOperation {
    private static let longestName = 64
    /// How many bytes of a document are searched for its name.
    private static let longestBegin = 256

    /// The operation's name; nil if it is no GraphQL request, or if it has no name that GraphQL allows.
    static func name(in query: String, path: String) -> String? {
        var named: ArraySlice<UInt8>?
        var document: ArraySlice<UInt8>?
        var isGraphQL = false
        let bytes = Array(query.utf8)
        for item in bytes.split(separator: UInt8(ascii: "&")) {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = item[(equals + 1)...]
            switch String(decoding: item[..<equals], as: UTF8.self) {
            case "operationName": named = value
            case "query": document = value
            case "variables", "extensions": isGraphQL = true
            default: continue
            }
        }
        guard named != nil || document != nil, isGraphQL || isEndpoint(path) else { return nil }
        if let named { return isName(named) ? String(decoding: named, as: UTF8.self) : nil }
        return document.flatMap { name(ofDocument: $0) }
    }

    private static func isEndpoint(_ path: String) -> Bool {
        guard let last = path.split(separator: "/").last?.lowercased() else { return false }
        return last.contains("graphql") || last == "gql"
    }

    /// The name after `query`, `mutation` or `subscription` (GraphQL, section 2.3).
    private static func name(ofDocument value: ArraySlice<UInt8>) -> String? {
        let begin = ASCII.percentDecoded(value.prefix(longestBegin)).map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        let words = begin.split(whereSeparator: ASCII.isSpaceOrControl)
        guard words.count >= 2,
            ["query", "mutation", "subscription"].contains(String(decoding: words[0], as: UTF8.self))
        else { return nil }
        let name = words[1].prefix { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return isName(name) ? String(decoding: name, as: UTF8.self) : nil
    }

    /// Whether it is a name (GraphQL, section 2.1.9) of a usual length.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count <= longestName, !ASCII.isDigit(first) else { return false }
        return bytes.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }
}
