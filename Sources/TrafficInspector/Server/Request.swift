internal import ASCIIBytes
internal import HTTPWire
package import TrafficModel

/// A complete request to the inspector.
package struct Request: Sendable {
    /// The method, in the case in which it was sent.
    package let method: String
    /// The segments of the path, percent-decoded once; empty segments are left out.
    package let segments: [String]
    /// The query's items, in order.
    package let items: [(name: String, value: String)]
    /// The header section.
    package let fields: FieldSection
    /// The content; empty if there is none.
    package let body: [UInt8]

    /// The request with those start line and headers.
    ///
    /// - Returns: nil if the target is not in origin form (RFC 9112, section 3.2.1).
    init?(_ head: RequestHead, body: [UInt8]) {
        guard head.target.hasPrefix("/") else { return nil }
        method = head.method
        fields = head.lines.fields
        self.body = body
        let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = parts[0].split(separator: "/").map { Self.decoded($0, plusIsSpace: false) }
        items =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { item in
                let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (
                    Self.decoded(pair[0], plusIsSpace: true),
                    pair.count > 1 ? Self.decoded(pair[1], plusIsSpace: true) : ""
                )
            }
    }

    /// The value of the first item of that name that is not empty.
    func item(_ name: String) -> String? { items.first { $0.name == name && !$0.value.isEmpty }?.value }

    /// The value of the cookie of that name (RFC 6265, section 4.2).
    func cookie(_ name: String) -> String? {
        for line in fields.values(of: "Cookie") {
            for pair in line.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// Percent-decodes a text (RFC 3986, section 2.1); invalid escapes stay as they are.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
        let bytes = Array(text.utf8)
        let spaced = plusIsSpace ? bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 } : bytes
        return String(decoding: ASCII.percentDecoded(spaced[...]), as: UTF8.self)
    }
}
