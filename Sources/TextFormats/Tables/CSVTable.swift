/// Writes JSON objects as CSV, so that both formats have the same figures under the same names.
package enum CSVTable {
    /// A line of titles and a line for each object.
    ///
    /// The title of `before.perCall` is `beforePerCall`. A missing member and `null` are an empty cell; an array is its
    /// values with spaces between them.
    ///
    /// - Parameters:
    ///   - members: the names of the members; a dot leads into an object.
    ///   - objects: the rows.
    /// - Returns: the text, with line ends.
    package static func text(_ members: [String], of objects: [JSONValue]) -> String {
        let paths = members.map { $0.split(separator: ".").map(String.init) }
        let titles = paths.map { path in
            path[0] + path.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        return CSVLine.text(of: titles)
            + objects.map { object in CSVLine.text(of: paths.map { cell(object[$0[...]]) }) }.joined()
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map(cell).joined(separator: " ")
        default: value.compact
        }
    }
}

extension JSONValue {
    /// The value at a path of names; null if there is none.
    fileprivate subscript(_ path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return self }
        guard case .object(let members) = self, let member = members.first(where: { $0.name == name }) else {
            return .null
        }
        return member.value[path.dropFirst()]
    }
}
