internal import ASCIIBytes
internal import TrafficModel

/// A header field as an API shows it: a name and a value, without the line on the wire.
package struct ShownField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension ShownField {
    /// The size of `name: value` with CRLF, the form that RFC 9112, section 5.1, prefers.
    var lineSize: Int64 { Int64(name.utf8.count) + Int64(value.utf8.count) + 4 }

    /// Whether it has that name, ignoring the case of ASCII letters.
    func isNamed(_ other: String) -> Bool { name.equalsIgnoringCase(other) }
}

extension String {
    /// Field names are ASCII (RFC 9110, section 5.1); other characters are compared byte by byte.
    func equalsIgnoringCase(_ other: String) -> Bool {
        ASCII.equalsIgnoringCase(utf8, other.utf8)
    }

    /// The string with ASCII letters in lower case, and other characters unchanged.
    var lowercasedASCII: String { String(decoding: utf8.map(ASCII.lowercased), as: UTF8.self) }
}
