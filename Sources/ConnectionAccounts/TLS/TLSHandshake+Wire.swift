package import TrafficModel

extension TLSHandshake {
    /// Makes a handshake of what is on the wire.
    ///
    /// - Parameters:
    ///   - serverName: the host that the client names.
    ///   - offered: the protocols that it offers, each with its length before it (RFC 7301, section 3.1).
    ///   - chosen: the name of the protocol that the server chooses.
    ///   - version: the number of the version in the ServerHello; 0 if none came.
    ///   - cipher: the number of the cipher suite.
    ///   - isResumed: whether an earlier session goes on.
    ///   - certificate: the server's own certificate in DER; empty if none came.
    ///   - chainSize: the bytes of the message that it came in; 0 if they are not known.
    package init(
        serverName: String, offered: [UInt8], chosen: [UInt8], version: UInt16, cipher: UInt16, isResumed: Bool?,
        certificate: [UInt8], chainSize: Int64
    ) {
        let numbers =
            version == 0 ? nil : ConnectionRecord.TLS(protocolVersion: version, cipherSuite: cipher)
        self.init(
            serverName: serverName, offeredProtocols: Self.names(offered), applicationProtocol: Self.name(chosen[...]),
            version: numbers?.version ?? "", cipher: numbers?.cipher ?? "", isResumed: isResumed,
            certificate: certificate.isEmpty
                ? nil : ServerCertificate(der: certificate, chainSize: chainSize > 0 ? ByteCount(chainSize) : nil))
    }

    private static func names(_ offered: [UInt8]) -> [String] {
        var names: [String] = []
        var rest = offered[...]
        while let count = rest.popFirst(), rest.count >= count {
            names.append(name(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return names
    }

    /// The name with bytes that are no character of a token percent-encoded, except the slash.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        let marks = Set("!#$&'*+-.^_`|~/".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: [byte]
            default: marks.contains(byte) ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
