package import TrafficModel

extension PartTotals {
    /// The parts with their names in machine formats, in the order of the wire; cookies are inside the fields.
    package static let named: [(name: String, path: any WritableKeyPath<PartTotals, ByteCount> & Sendable)] = [
        ("startLine", \.startLine), ("fields", \.fields), ("cookies", \.cookies), ("interim", \.interim),
        ("body", \.body), ("framing", \.framing),
    ]

    /// The parts as machine formats have them.
    var value: JSONValue {
        .object(Self.named.map { .init($0.name, .integer(self[keyPath: $0.path].bytes)) })
    }
}
