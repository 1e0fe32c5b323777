/// How the records of one direction are sealed: key, nonce and the number of the next record.
struct Protection {
    private let suite: CipherSuite
    private let library: Libcrypto
    private let opener: Opener
    /// Of TLS 1.3, from which the key follows; nil in TLS 1.2.
    private let secret: [UInt8]?
    private let fixed: [UInt8]
    private var sequence: UInt64 = 0

    /// The protection of TLS 1.3 by a secret of the traffic (RFC 8446, section 7.3).
    init?(_ suite: CipherSuite, secret: [UInt8], _ library: Libcrypto) {
        func expanded(_ label: String, _ count: Int) -> [UInt8]? {
            Self.expand(suite, secret, label, count, library)
        }
        guard let key = expanded("key", suite.cipher.keyCount), let fixed = expanded("iv", 12),
            let opener = Opener(library, suite.cipher, key: key)
        else { return nil }
        self.suite = suite
        self.library = library
        self.opener = opener
        self.secret = secret
        self.fixed = fixed
    }

    private init?(_ suite: CipherSuite, key: [UInt8], fixed: [UInt8], _ library: Libcrypto) {
        guard let opener = Opener(library, suite.cipher, key: key) else { return nil }
        self.suite = suite
        self.library = library
        self.opener = opener
        secret = nil
        self.fixed = fixed
    }

    /// Both directions of TLS 1.2 (RFC 5246, section 6.3).
    static func both(
        _ suite: CipherSuite, master: [UInt8], randoms: (client: [UInt8], server: [UInt8]), _ library: Libcrypto
    ) -> (client: Protection, server: Protection)? {
        let (keyCount, fixedCount) = (suite.cipher.keyCount, suite.cipher.fixedCount)
        let seed = Array("key expansion".utf8) + randoms.server + randoms.client
        guard let block = pseudoRandom(suite.hash, master, seed, 2 * (keyCount + fixedCount), library) else {
            return nil
        }
        func part(_ from: Int, _ count: Int) -> [UInt8] { Array(block[from..<from + count]) }
        guard
            let client = Protection(
                suite, key: part(0, keyCount), fixed: part(2 * keyCount, fixedCount), library),
            let server = Protection(
                suite, key: part(keyCount, keyCount), fixed: part(2 * keyCount + fixedCount, fixedCount), library)
        else { return nil }
        return (client, server)
    }

    /// What follows a KeyUpdate (RFC 8446, section 7.2).
    func next() -> Protection? {
        guard let secret, let following = Self.expand(suite, secret, "traffic upd", secret.count, library) else {
            return nil
        }
        return Protection(suite, secret: following, library)
    }

    /// Opens a record in its place.
    ///
    /// - Parameter record: the whole record, with its header of 5 bytes.
    /// - Returns: the type of its content, and where that is; nil if it was not sealed so.
    mutating func open(_ record: UnsafeMutableBufferPointer<UInt8>) -> (type: UInt8, content: Range<Int>)? {
        let result = secret == nil ? openOld(record) : openNew(record)
        if result != nil { sequence &+= 1 }
        return result
    }

    private var number: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) } }

    /// The fixed part, of 12 bytes, with the record's number in it.
    private var mixed: [UInt8] {
        var nonce = fixed
        for (index, byte) in number.enumerated() { nonce[4 + index] ^= byte }
        return nonce
    }

    /// RFC 8446, section 5.2: the type is the last byte of the plaintext that is not 0.
    private func openNew(_ record: UnsafeMutableBufferPointer<UInt8>) -> (type: UInt8, content: Range<Int>)? {
        let sealed = UnsafeMutableBufferPointer(rebasing: record[5...])
        guard let count = opener.open(sealed, nonce: mixed, additional: Array(record[..<5])),
            let last = sealed[..<count].lastIndex(where: { $0 != 0 })
        else { return nil }
        return (sealed[last], 5..<5 + last)
    }

    /// RFC 5246, section 6.2.3.3.
    private func openOld(_ record: UnsafeMutableBufferPointer<UInt8>) -> (type: UInt8, content: Range<Int>)? {
        let explicit = 12 - fixed.count
        guard record.count >= 5 + explicit + 16 else { return nil }
        let nonce = explicit == 0 ? mixed : fixed + record[5..<5 + explicit]
        let count = record.count - 5 - explicit - 16
        let additional = number + record[..<3] + [UInt8(count >> 8), UInt8(count & 0xFF)]
        let sealed = UnsafeMutableBufferPointer(rebasing: record[(5 + explicit)...])
        guard opener.open(sealed, nonce: nonce, additional: additional) == count else { return nil }
        return (record[0], 5 + explicit..<5 + explicit + count)
    }

    // MARK: keys

    /// HKDF-Expand-Label without a context (RFC 8446, section 7.1); no key is longer than the hash.
    private static func expand(
        _ suite: CipherSuite, _ secret: [UInt8], _ label: String, _ count: Int, _ library: Libcrypto
    ) -> [UInt8]? {
        let name = "tls13 \(label)"
        let information = [UInt8(count >> 8), UInt8(count & 0xFF), UInt8(name.utf8.count)] + name.utf8 + [0, 1]
        guard let block = library.hmac(suite.hash, key: secret, information), block.count >= count else { return nil }
        return Array(block.prefix(count))
    }

    /// The pseudorandom function of TLS 1.2 (RFC 5246, section 5); the seed begins with the label.
    private static func pseudoRandom(
        _ hash: CipherSuite.Hash, _ secret: [UInt8], _ seed: [UInt8], _ count: Int, _ library: Libcrypto
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var link = seed
        while result.count < count {
            guard let next = library.hmac(hash, key: secret, link),
                let block = library.hmac(hash, key: secret, next + seed)
            else { return nil }
            link = next
            result += block
        }
        return Array(result.prefix(count))
    }
}
