internal import Diagnosis
internal import Foundation

/// Recognises a TLS library that is a part of a program, by a text that the library contains.
enum EmbeddedTLS {
    /// The name of each library, and a text that is still in a program without symbols: paths of its own source files, or its
    /// own name in messages.
    private static let texts: [(name: String, text: [UInt8])] = [
        ("rustls", "/rustls-"), ("OpenSSL", "ssl/statem/"), ("BoringSSL", "BoringSSL"), ("Mbed TLS", "mbed TLS "),
        ("wolfSSL", "wolfSSL"),
    ].map { ($0.0, Array($0.1.utf8)) }

    /// Whether a program has OpenSSL or BoringSSL inside it by the names of its functions, which the tap finds then.
    static func hasNames(in path: String) -> Bool {
        guard let file = FilePieces(path) else { return false }
        // As in inner_tls.c of the preloaded library.
        return ["", "CNIOBoringSSL_"].contains { prefix in
            ELFFile.defines(["SSL_read", "SSL_write", "SSL_free"].map { prefix + $0 }) { file.read($0, $1) }
        }
    }

    /// The largest number of bytes of a file that are searched.
    private static let most = 1 << 30
    private static let piece = 1 << 20

    /// Finds the first such library in files; nil if there is none.
    static func find(in paths: [String]) -> HTTPStack? {
        for path in paths {
            guard let name = name(in: path) else { continue }
            let advice =
                name == "OpenSSL" ? "Use a build on the shared libssl. \(Remedy.proxy)" : Remedy.proxy
            return HTTPStack(title: "has \(name) inside it, whose calls are not seen", advice: advice)
        }
        return nil
    }

    /// The library besides OpenSSL and BoringSSL that is a part of a program; nil if there is none.
    static func unknown(in path: String) -> String? {
        name(in: path, texts.filter { !["OpenSSL", "BoringSSL"].contains($0.name) })
    }

    private static func name(in path: String, _ texts: [(name: String, text: [UInt8])] = texts) -> String? {
        guard let file = FilePieces(path) else { return nil }
        var found = Set<String>()
        let overlap = texts.map(\.text.count).max()! - 1
        for start in stride(from: 0, to: most, by: piece) {
            let bytes = file.read(UInt64(start), piece + overlap)
            for (name, text) in texts where !found.contains(name) && contains(bytes, text) { found.insert(name) }
            if bytes.count < piece { break }
        }
        return texts.first { found.contains($0.name) }?.name
    }

    private static func contains(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            var start = 0
            while bytes.count - start >= text.count,
                let next = memchr(base + start, Int32(text[0]), bytes.count - start - text.count + 1)
            {
                if memcmp(next, text, text.count) == 0 { return true }
                start = UnsafeRawPointer(next) - base + 1
            }
            return false
        }
    }
}
