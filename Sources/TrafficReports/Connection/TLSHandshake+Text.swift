package import TextFormats
package import TrafficModel

extension TLSHandshake {
    /// What it shows in words, without an end; safe for a terminal.
    package var sentence: String {
        var parts = [version.isEmpty ? "TLS without a response" : version]
        if let isResumed { parts.append(isResumed ? "resumed" : "new session") }
        if !applicationProtocol.isEmpty {
            parts.append(applicationProtocol)
        } else if !offeredProtocols.isEmpty {
            parts.append("offers \(offeredProtocols.joined(separator: " and "))")
        }
        if let certificate { parts.append(certificate.sentence) }
        return TerminalText.escaped(parts.joined(separator: ", "))
    }

    /// Null where the handshake did not show it.
    package var json: JSONValue {
        .object([
            .init("serverName", .text(serverName)), .init("version", .text(version)), .init("cipher", .text(cipher)),
            .init("offered", .array(offeredProtocols.map { .string($0) })),
            .init("protocol", .text(applicationProtocol)), .init("resumed", isResumed.map { .bool($0) } ?? .null),
            .init("certificate", certificate?.json ?? .null),
        ])
    }

    /// The names of ``cells(of:)``.
    static let columns = [
        "handshakeServerName", "handshakeVersion", "handshakeCipher", "handshakeOffered", "handshakeProtocol",
        "handshakeResumed", "certificateSubject", "certificateIssuer", "certificateNotBefore", "certificateNotAfter",
        "certificateSHA256", "certificateChainBytes",
    ]

    /// The cells of CSV; empty where the handshake did not show it.
    static func cells(of handshake: TLSHandshake?) -> [String] {
        guard let handshake else { return columns.map { _ in "" } }
        let certificate = handshake.certificate
        return [
            handshake.serverName, handshake.version, handshake.cipher,
            handshake.offeredProtocols.joined(separator: ","),
            handshake.applicationProtocol, handshake.isResumed?.description ?? "", certificate?.subject ?? "",
            certificate?.issuer ?? "", certificate?.notBefore?.iso8601 ?? "", certificate?.notAfter?.iso8601 ?? "",
            certificate?.sha256 ?? "", certificate?.chainSize?.description ?? "",
        ]
    }
}

extension ServerCertificate {
    fileprivate var sentence: String {
        let size = chainSize.map { "\(Units.count($0.bytes)) bytes" }
        let end = notAfter.map { "until \($0.iso8601.prefix(10))" }
        let name = subject.isEmpty ? "a certificate without a name" : "certificate of \(subject)"
        let about = [issuer.isEmpty ? nil : "by \(issuer)", end, size].compactMap(\.self).joined(separator: ", ")
        return about.isEmpty ? name : "\(name) \(about)"
    }

    fileprivate var json: JSONValue {
        .object([
            .init("subject", .text(subject)), .init("issuer", .text(issuer)),
            .init("notBefore", .text(notBefore?.iso8601)), .init("notAfter", .text(notAfter?.iso8601)),
            .init("sha256", .text(sha256)), .init("chainBytes", chainSize.map { .integer($0.bytes) } ?? .null),
        ])
    }
}
