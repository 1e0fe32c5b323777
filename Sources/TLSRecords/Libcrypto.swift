internal import ContentCoding

/// The system's libcrypto of OpenSSL, opened at run time: a command that deciphers nothing does not need it.
///
/// `@unchecked Sendable`: functions of a library that is never closed.
package struct Libcrypto: @unchecked Sendable {
    typealias Context = OpaquePointer
    typealias Byte = UInt8
    typealias Make = @convention(c) () -> OpaquePointer?
    typealias Free = @convention(c) (Context?) -> Void
    typealias Begin =
        @convention(c) (
            Context, OpaquePointer?, OpaquePointer?, UnsafePointer<Byte>?, UnsafePointer<Byte>?
        ) -> Int32
    typealias Control = @convention(c) (Context, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
    typealias Update =
        @convention(c) (
            Context, UnsafeMutablePointer<Byte>?, UnsafeMutablePointer<Int32>, UnsafePointer<Byte>?, Int32
        ) -> Int32
    typealias Finish = @convention(c) (Context, UnsafeMutablePointer<Byte>, UnsafeMutablePointer<Int32>) -> Int32
    typealias Authenticate =
        @convention(c) (
            OpaquePointer, UnsafePointer<Byte>?, Int32, UnsafePointer<Byte>?, Int, UnsafeMutablePointer<Byte>,
            UnsafeMutablePointer<UInt32>
        ) -> UnsafeMutablePointer<Byte>?

    let makeContext: Make
    let freeContext: Free
    let begin: Begin
    let control: Control
    let update: Update
    let finish: Finish
    private let authenticate: Authenticate
    private let hashes: [CipherSuite.Hash: OpaquePointer]
    private let ciphers: [CipherSuite.Cipher: OpaquePointer]

    /// The library; nil if the system has none that has what is needed.
    package static let system = Libcrypto()

    /// The names of the file that are tried, for messages.
    package static let names = "libcrypto.so.3 or libcrypto.so.1.1"

    private init?() {
        guard let library = LoadedLibrary("libcrypto.so.3", "libcrypto.so.1.1"),
            let makeContext = library.function("EVP_CIPHER_CTX_new", as: Make.self),
            let freeContext = library.function("EVP_CIPHER_CTX_free", as: Free.self),
            let begin = library.function("EVP_DecryptInit_ex", as: Begin.self),
            let control = library.function("EVP_CIPHER_CTX_ctrl", as: Control.self),
            let update = library.function("EVP_DecryptUpdate", as: Update.self),
            let finish = library.function("EVP_DecryptFinal_ex", as: Finish.self),
            let authenticate = library.function("HMAC", as: Authenticate.self)
        else { return nil }
        func object(_ name: String) -> OpaquePointer? { library.function(name, as: Make.self)?() }
        self.makeContext = makeContext
        self.freeContext = freeContext
        self.begin = begin
        self.control = control
        self.update = update
        self.finish = finish
        self.authenticate = authenticate
        hashes = [.sha256: object("EVP_sha256"), .sha384: object("EVP_sha384")].compactMapValues(\.self)
        ciphers = [
            .aes128GCM: object("EVP_aes_128_gcm"), .aes256GCM: object("EVP_aes_256_gcm"),
            .chacha20Poly1305: object("EVP_chacha20_poly1305"),
        ].compactMapValues(\.self)
    }

    func cipher(_ cipher: CipherSuite.Cipher) -> OpaquePointer? { ciphers[cipher] }

    /// HMAC (RFC 2104); nil if the library has no such hash.
    func hmac(_ hash: CipherSuite.Hash, key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        guard let function = hashes[hash] else { return nil }
        var result = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        guard authenticate(function, key, Int32(key.count), message, message.count, &result, &count) != nil,
            count <= result.count
        else { return nil }
        return Array(result.prefix(Int(count)))
    }
}

/// Opens what one key has sealed (AEAD, RFC 5116).
final class Opener {
    private static let tagCount = 16
    /// `EVP_CTRL_AEAD_SET_TAG` of evp.h.
    private static let setTag: Int32 = 0x11

    private let library: Libcrypto
    private let context: Libcrypto.Context

    /// Nil if the library has no such cipher.
    init?(_ library: Libcrypto, _ cipher: CipherSuite.Cipher, key: [UInt8]) {
        guard let kind = library.cipher(cipher), key.count == cipher.keyCount, let context = library.makeContext()
        else {
            return nil
        }
        self.library = library
        self.context = context
        guard library.begin(context, kind, nil, key, nil) == 1 else { return nil }
    }

    deinit { library.freeContext(context) }

    /// Deciphers bytes in their place.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext with its tag at the end.
    ///   - nonce: 12 bytes.
    ///   - additional: what was authenticated with it.
    /// - Returns: the number of bytes of the plaintext; nil if they were not sealed so.
    func open(_ sealed: UnsafeMutableBufferPointer<UInt8>, nonce: [UInt8], additional: [UInt8]) -> Int? {
        let count = sealed.count - Self.tagCount
        guard count >= 0, let bytes = sealed.baseAddress else { return nil }
        var taken: Int32 = 0
        var rest: Int32 = 0
        guard library.begin(context, nil, nil, nil, nonce) == 1,
            library.update(context, nil, &taken, additional, Int32(additional.count)) == 1,
            library.update(context, bytes, &taken, bytes, Int32(count)) == 1,
            library.control(context, Self.setTag, Int32(Self.tagCount), bytes + count) == 1,
            library.finish(context, bytes + count, &rest) == 1
        else { return nil }
        return count
    }
}
