import Foundation

/// A request as the origin received it.
public struct OriginRequest: Sendable {
    /// A field line, split at its first colon.
    public struct Field: Hashable, Sendable {
        /// The name as spelled in the request.
        public var name: String
        /// The value without the spaces around it.
        public var value: String
    }

    /// The method, such as `GET`.
    public let method: String
    /// The request target as in the request line.
    public let target: String
    /// The version, such as `HTTP/1.1`.
    public let version: String
    /// The field lines in the order of the request.
    public let fields: [Field]
    /// The request line, the field lines and the empty line, byte for byte.
    public let head: [UInt8]
    /// The content without its framing, up to the origin's limit; empty until it is read.
    public internal(set) var body: [UInt8] = []
    /// The number of content bytes that were read.
    public internal(set) var bodyCount = 0

    /// Parses a request line and header section that end with the empty line.
    package init(head: [UInt8]) {
        self.head = head
        var lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        method = words.first.map(String.init) ?? ""
        target = words.count > 1 ? String(words[1]) : ""
        version = words.count > 2 ? String(words[2]) : "HTTP/0.9"
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...]
            return Field(
                name: String(line[..<colon]), value: value.trimmingCharacters(in: CharacterSet(charactersIn: " \t")))
        }
    }

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The part of the target after the question mark; nil if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The value of the first field of that name, ignoring case; nil if there is none.
    public func value(of name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the client wants the connection closed after this exchange (RFC 9112, section 9.3).
    package var wantsClose: Bool {
        let connection = (value(of: "Connection") ?? "").lowercased()
        return version == "HTTP/1.1" ? connection.contains("close") : !connection.contains("keep-alive")
    }
}
