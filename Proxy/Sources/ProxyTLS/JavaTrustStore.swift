import COpenSSL

/// Certificates in the form that every Java reads as the authorities it trusts: a JKS key store, version 2.
///
/// The form is that of `sun.security.provider.JavaKeyStore` in OpenJDK. OpenSSL 3.0 writes PKCS #12, but without the
/// attribute by which Java knows that a certificate is trusted.
package enum JavaTrustStore {
    /// A store of all certificates of a text in PEM.
    package static func bytes(pem: [UInt8], password: String) -> [UInt8] {
        let certificates = certificates(pem)
        var store: [UInt8] = []
        func put(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.bigEndian) { store += $0 } }
        func put(_ text: String) {
            put(UInt16(text.utf8.count))
            store += text.utf8
        }
        put(UInt32(0xFEED_FEED))
        put(UInt32(2))
        put(UInt32(certificates.count))
        for (number, certificate) in certificates.enumerated() {
            // A certificate that is trusted; then its name, and when it was added.
            put(UInt32(2))
            put("authority-\(number)")
            put(UInt64(0))
            put("X.509")
            put(UInt32(certificate.count))
            store += certificate
        }
        let key = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return store + sha1(key + Array("Mighty Aphrodite".utf8) + store)
    }

    /// The certificates (X.509, DER).
    private static func certificates(_ pem: [UInt8]) -> [[UInt8]] {
        let source = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(source) }
        var all: [[UInt8]] = []
        while let certificate = PEM_read_bio_X509(source, nil, nil, nil) {
            defer { X509_free(certificate) }
            all.append(encoded(certificate))
        }
        // The end of the text is an error, too.
        ERR_clear_error()
        return all
    }

    /// A certificate as devices and stores have it (X.509, DER).
    static func encoded(_ certificate: OpaquePointer) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &bytes)
        guard let bytes, count > 0 else { return [] }
        defer { CRYPTO_free(bytes, nil, 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    private static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 20
        EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha1(), nil)
        return digest
    }
}
