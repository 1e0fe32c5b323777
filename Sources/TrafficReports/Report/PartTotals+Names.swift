package import TextFormats
package import TrafficModel

extension PartTotals {
    /// The parts with their names in machine formats, in the order of the wire; cookies are part of the fields.
    package static let named: [(name: String, path: any WritableKeyPath<PartTotals, ByteCount> & Sendable)] = [
        ("startLine", \.startLine), ("fields", \.fields), ("cookies", \.cookies), ("interim", \.interim),
        ("body", \.body), ("framing", \.framing),
    ]

    /// The parts as a JSON object, as in all machine formats.
    package var json: JSONValue {
        .object(Self.named.map { .init($0.name, .integer(self[keyPath: $0.path].bytes)) })
    }
}
