/// How a row has its path.
///
/// A path that is the template of its API is in no column. One that begins as the template does before its first
/// parameter is in `path_rest`, without that start: `123/posts` for `/users/123/posts`, of `/users/{id}/posts`. Any
/// other is in `path`.
enum PathColumns {
    /// A template to which paths are compared, byte by byte: as texts, two different paths can be equal.
    struct Template {
        /// All of it.
        let bytes: [UInt8]
        /// How long its start is.
        let startLength: Int

        init(_ template: String) {
            bytes = Array(template.utf8)
            startLength = PathColumns.start(of: template).utf8.count
        }
    }

    /// What the paths of a template have in common before its first parameter; empty if there is no parameter.
    static func start(of template: String) -> String {
        template.utf8.firstIndex(of: UInt8(ascii: "{")).map { String(template[..<$0]) } ?? ""
    }

    /// The same in SQL, of the API `a`.
    static let startInSQL = "substr(a.template, 1, instr(a.template, '{') - 1)"

    /// The path in SQL, of the exchange `e` and its API `a`.
    static let pathInSQL = "coalesce(e.path, \(startInSQL) || e.path_rest, a.template)"

    /// The path that two columns have: `path`, and `path_rest` after it.
    static func path(_ row: PreparedStatement, column: Int32, start: String, template: String) -> String {
        row.optionalText(column) ?? row.optionalText(column + 1).map { start + $0 } ?? template
    }
}
