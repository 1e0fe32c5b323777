/// A cipher suite whose records can be deciphered: those of TLS 1.3, and of TLS 1.2 those with AEAD.
struct CipherSuite: Equatable {
    enum Hash { case sha256, sha384 }

    enum Cipher {
        case aes128GCM, aes256GCM, chacha20Poly1305

        var keyCount: Int { self == .aes128GCM ? 16 : 32 }
        /// In TLS 1.2, how many bytes of a nonce follow from the keys; the others come with each record (RFC 5288,
        /// section 3; RFC 7905, section 2).
        var fixedCount: Int { self == .chacha20Poly1305 ? 12 : 4 }
    }

    var cipher: Cipher
    var hash: Hash

    /// The suite of that number in that version of TLS (RFC 8446, appendix B.4; IANA's registry "TLS Cipher Suites").
    init?(_ number: UInt16, version: UInt16) {
        let isNew = (0x1301...0x1303).contains(number)
        guard version == 0x0304 ? isNew : version == 0x0303 && !isNew else { return nil }
        switch number {
        case 0x1301, 0x009C, 0x009E, 0xC02B, 0xC02F: self.init(cipher: .aes128GCM, hash: .sha256)
        case 0x1302, 0x009D, 0x009F, 0xC02C, 0xC030: self.init(cipher: .aes256GCM, hash: .sha384)
        case 0x1303, 0xCCA8, 0xCCA9, 0xCCAA: self.init(cipher: .chacha20Poly1305, hash: .sha256)
        default: return nil
        }
    }

    private init(cipher: Cipher, hash: Hash) {
        self.cipher = cipher
        self.hash = hash
    }
}
