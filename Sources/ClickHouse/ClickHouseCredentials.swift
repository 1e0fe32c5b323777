import Foundation

/// Who asks: a user with a password, or a token for a gateway.
///
/// They come from the environment or from a file that it names, because every user of a machine can read the arguments
/// of a program.
package struct ClickHouseCredentials: Hashable, Sendable {
    /// The user of ClickHouse; nil for its default user.
    package var user: String?
    /// The user's password.
    package var password: String?
    /// What a gateway in front of ClickHouse wants to see (RFC 6750).
    package var token: String?

    /// The variable with the user's name.
    package static let userVariable = "WIREWEIGHT_CLICKHOUSE_USER"
    /// The variable with the password.
    package static let passwordVariable = "WIREWEIGHT_CLICKHOUSE_PASSWORD"
    /// The variable with the token.
    package static let tokenVariable = "WIREWEIGHT_CLICKHOUSE_TOKEN"
    /// The variable that names a file with lines such as `user=NAME`, `password=TEXT` and `token=TEXT`.
    package static let fileVariable = "WIREWEIGHT_CLICKHOUSE_FILE"

    /// Those of that user.
    package init(user: String? = nil, password: String? = nil, token: String? = nil) {
        self.user = user
        self.password = password
        self.token = token
    }

    /// Those of an environment; a variable comes before the same entry of the file.
    ///
    /// - Parameter environment: the variables.
    /// - Throws: ``ClickHouseError`` if the file cannot be read, or has other lines.
    package init(environment: [String: String]) throws {
        if let path = environment[Self.fileVariable], !path.isEmpty { try read(path) }
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        user = value(Self.userVariable) ?? user
        password = value(Self.passwordVariable) ?? password
        token = value(Self.tokenVariable) ?? token
        let variables = [Self.userVariable, Self.passwordVariable, Self.tokenVariable].map { "'\($0)'" }
        self = try checked("; check what \(variables[0]), \(variables[1]) and \(variables[2]) hold")
    }

    /// Checks that they can be sent.
    ///
    /// - Parameter advice: what to do about it if they are wrong.
    /// - Returns: the same credentials.
    /// - Throws: ``ClickHouseError`` if one of them cannot be sent in a header line.
    package func checked(_ advice: String = "") throws -> ClickHouseCredentials {
        for value in [user, password, token] {
            guard let value, value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { continue }
            throw ClickHouseError(
                .badAddress, "a user, a password and a token have no control characters\(advice)")
        }
        return self
    }

    private mutating func read(_ path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ClickHouseError(
                .badAddress, "the file '\(path)' cannot be read; correct '\(Self.fileVariable)'")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch (parts[0], parts.count) {
            case ("user", 2): user = String(parts[1])
            case ("password", 2): password = String(parts[1])
            case ("token", 2): token = String(parts[1])
            default:
                // Without the line, which may hold a secret.
                throw ClickHouseError(
                    .badAddress,
                    "the file '\(path)' has a line that begins with none of 'user=', 'password=' and 'token='")
            }
        }
    }

    /// The fields of a request.
    var fields: [(name: String, value: String)] {
        var fields: [(String, String)] = []
        if let user { fields.append(("X-ClickHouse-User", user)) }
        if let password { fields.append(("X-ClickHouse-Key", password)) }
        if let token { fields.append(("Authorization", "Bearer \(token)")) }
        return fields
    }
}
