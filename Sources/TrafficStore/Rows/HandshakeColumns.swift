internal import TrafficModel

/// The columns of a connection that have what was in the clear as TLS began.
enum HandshakeColumns {
    static let names = [
        "handshake_name", "handshake_version", "handshake_cipher", "handshake_offered", "handshake_protocol",
        "handshake_resumed", "certificate_subject", "certificate_issuer", "certificate_from", "certificate_until",
        "certificate_sha256", "certificate_chain",
    ]

    /// Binds them in the order of ``names``.
    static func bind(_ handshake: TLSHandshake?, to statement: PreparedStatement, from first: Int32) {
        guard let handshake else {
            for index in names.indices { statement.bindNull(first + Int32(index)) }
            return
        }
        let certificate = handshake.certificate
        statement.bind(first, handshake.serverName)
        statement.bind(first + 1, handshake.version)
        statement.bind(first + 2, handshake.cipher)
        statement.bind(first + 3, handshake.offeredProtocols.joined(separator: ","))
        statement.bind(first + 4, handshake.applicationProtocol)
        statement.bind(first + 5, handshake.isResumed.map { $0 ? 1 : 0 } as Int64?)
        statement.bind(first + 6, certificate?.subject)
        statement.bind(first + 7, certificate?.issuer)
        statement.bind(first + 8, certificate?.notBefore?.nanoseconds)
        statement.bind(first + 9, certificate?.notAfter?.nanoseconds)
        statement.bind(first + 10, certificate?.sha256)
        statement.bind(first + 11, certificate?.chainSize?.bytes)
    }

    /// The handshake of a row; nil if none was seen.
    static func handshake(of row: PreparedStatement, from first: Int32) -> TLSHandshake? {
        row.optionalText(first).map { name in
            TLSHandshake(
                serverName: name, offeredProtocols: row.text(first + 3).split(separator: ",").map(String.init),
                applicationProtocol: row.text(first + 4), version: row.text(first + 1), cipher: row.text(first + 2),
                isResumed: row.optionalInt(first + 5).map { $0 != 0 },
                certificate: certificate(of: row, from: first + 6))
        }
    }

    private static func certificate(of row: PreparedStatement, from first: Int32) -> ServerCertificate? {
        row.optionalText(first + 4).map { digest in
            ServerCertificate(
                subject: row.text(first), issuer: row.text(first + 1),
                notBefore: row.optionalInt(first + 2).map { Timestamp(nanoseconds: $0) },
                notAfter: row.optionalInt(first + 3).map { Timestamp(nanoseconds: $0) }, sha256: digest,
                chainSize: row.optionalInt(first + 5).map { ByteCount(Plausible.count($0)) })
        }
    }
}
