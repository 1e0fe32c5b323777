import ASCIIBytes

/// The address of a fleet's tables, as people write it: `clickhouse://HOST:PORT/DATABASE?service=shop&since=7d`.
///
/// The port is that of ClickHouse's HTTP interface. With `clickhouses://`, the connection has TLS. The parameters say
/// which part of the fleet is meant.
package struct FleetURL: Hashable, Sendable, CustomStringConvertible {
    /// The parameters that a URL may have.
    package enum Parameter: String, CaseIterable, Sendable {
        /// The name of the service.
        case service
        /// Its version.
        case version
        /// Where it is deployed, such as `production`.
        case environment
        /// The region in which it runs.
        case region
        /// The installation.
        case installation
        /// The machine.
        case host
        /// The operating system.
        case platform
        /// The first moment that counts: a time, or a duration before now.
        case since
        /// The first moment that no longer counts.
        case until
    }

    /// The host, without the port; an IPv6 address is in brackets.
    package var host: String
    /// The port of the HTTP interface.
    package var port: Int
    /// Whether the connection has TLS.
    package var isSecure: Bool
    /// The name of the database.
    package var database: String
    /// What is selected, as it is written.
    package var parameters: [Parameter: String] = [:]

    /// The port of ClickHouse's HTTP interface, without and with TLS.
    package static func defaultPort(isSecure: Bool) -> Int { isSecure ? 8443 : 8123 }

    /// Whether a text is meant as such an address and not as a file.
    package static func isMeant(by text: String) -> Bool { scheme(of: text) != nil }

    private static func scheme(of text: String) -> (isSecure: Bool, length: Int)? {
        for (scheme, isSecure) in [("clickhouse://", false), ("clickhouses://", true)]
        where ASCII.equalsIgnoringCase(text.utf8.prefix(scheme.utf8.count), scheme.utf8) {
            return (isSecure, scheme.utf8.count)
        }
        return nil
    }

    /// Reads an address.
    ///
    /// - Parameter text: the address.
    /// - Throws: ``ClickHouseError`` whose message says what is wrong with it.
    package init(_ text: String) throws {
        guard let scheme = Self.scheme(of: text) else {
            throw Self.wrong(text, "it begins with neither 'clickhouse://' nor 'clickhouses://'")
        }
        isSecure = scheme.isSecure
        var rest = Array(text.utf8)[scheme.length...]
        guard !rest.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw Self.wrong("an address", "it has white space or a control character")
        }
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) {
            throw Self.wrong(text, "'\(String(decoding: rest[fragment...], as: UTF8.self))' has no meaning in it")
        }
        let query = rest.firstIndex(of: UInt8(ascii: "?"))
        let parameters = query.map { rest[($0 + 1)...] } ?? []
        rest = rest[..<(query ?? rest.endIndex)]
        let slash = rest.firstIndex(of: UInt8(ascii: "/"))
        let authority = rest[..<(slash ?? rest.endIndex)]
        var path = slash.map { rest[($0 + 1)...] } ?? []
        if path.last == UInt8(ascii: "/") { path.removeLast() }
        guard !authority.contains(UInt8(ascii: "@")) else {
            // Without the address, whose secret the message would repeat.
            throw ClickHouseError(
                .badAddress,
                "the address has a user in it, which every user of this machine can see; set "
                    + "'\(ClickHouseCredentials.userVariable)' and '\(ClickHouseCredentials.passwordVariable)' instead")
        }
        (host, port) = try Self.endpoint(of: authority, isSecure: scheme.isSecure, in: text)
        guard !path.contains(UInt8(ascii: "/")) else { throw Self.wrong(text, "a database has no '/' in its name") }
        database = String(decoding: ASCII.percentDecoded(path), as: UTF8.self)
        guard !database.isEmpty else {
            throw Self.wrong(text, "it names no database; write 'clickhouse://HOST:PORT/DATABASE'")
        }
        try read(parameters, of: text)
    }

    private static func endpoint(
        of authority: ArraySlice<UInt8>, isSecure: Bool, in text: String
    ) throws -> (String, Int) {
        // The colons of an IPv6 address are in brackets.
        let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
        let colon = authority[(bracket ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
        let host = authority[..<(colon ?? authority.endIndex)].map(ASCII.lowercased)
        let known = host.allSatisfy {
            ASCII.isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0)
                || bracket != nil && [0x3A, 0x5B, 0x5D].contains($0)
        }
        guard !host.isEmpty, known else { throw wrong(text, "it names no host") }
        let name = String(decoding: host, as: UTF8.self)
        guard let colon else { return (name, defaultPort(isSecure: isSecure)) }
        let digits = String(decoding: authority[(colon + 1)...], as: UTF8.self)
        guard let port = Int(digits), (1...65_535).contains(port) else {
            throw wrong(text, "its port '\(digits)' is not a number from 1 to 65535")
        }
        return (name, port)
    }

    private mutating func read(_ query: ArraySlice<UInt8>, of text: String) throws {
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = String(decoding: pair[..<equals], as: UTF8.self)
            guard let parameter = Parameter(rawValue: name) else {
                let known = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.wrong(text, "it has no parameter '\(name)'; there are \(known)")
            }
            let value = String(decoding: ASCII.percentDecoded(pair[equals...].dropFirst()), as: UTF8.self)
            guard !value.isEmpty else { throw Self.wrong(text, "its parameter '\(name)' has no value") }
            guard parameters.updateValue(value, forKey: parameter) == nil else {
                throw Self.wrong(text, "its parameter '\(name)' is given twice")
            }
        }
    }

    private static func wrong(_ text: String, _ what: String) -> ClickHouseError {
        ClickHouseError(.badAddress, "'\(text)' is no address of a fleet: \(what)")
    }

    /// The host and the port.
    package var endpoint: String { "\(host):\(port)" }

    /// The address in one spelling, with the parameters in the order of their list.
    package var description: String {
        let query = Parameter.allCases.compactMap { name in
            parameters[name].map { "\(name.rawValue)=\(Self.encoded($0))" }
        }
        return "clickhouse\(isSecure ? "s" : "")://\(endpoint)/\(Self.encoded(database))"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Text in which every byte is encoded that is not unreserved (RFC 3986, section 2.3).
    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if ASCII.isAlphanumeric(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
