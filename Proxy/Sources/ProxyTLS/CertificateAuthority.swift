import COpenSSL
import CProxyTLS
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The authority that signs the certificates which devices see; one of each installation, made on first use.
///
/// Its key is in a file that only its owner can read, and never leaves the machine.
package final class CertificateAuthority: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A certificate, and the key that it belongs to.
    struct Identity: @unchecked Sendable {
        // OpenSSL counts the references of both by atomic numbers, and neither changes after it was made.
        let certificate: OpaquePointer
        let key: OpaquePointer
    }

    private static let days: Int32 = 365
    private static let leafDays: Int32 = 7
    private static let mostLeaves = 1000

    package let certificateFile: String
    private let authority: Identity
    private let leafKey: Identity
    private let leaves = Mutex<[String: Identity]>([:])

    /// Where the authority of this user is: `$XDG_DATA_HOME/wireweight`, or the folder of the specification's default.
    package static func folder() throws(Failure) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/wireweight" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Failure(description: "no folder for the authority: set HOME or XDG_DATA_HOME")
        }
        return home + "/.local/share/wireweight"
    }

    /// Reads the authority of a folder; makes a new one if there is none, or its time is over.
    package init(folder: String) throws(Failure) {
        let certificateFile = folder + "/authority.pem"
        let keyFile = folder + "/authority-key.pem"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(description: "cannot make the folder '\(folder)': \(error)")
        }
        self.certificateFile = certificateFile
        // Two that start at the same time take the same one.
        let lock = open(folder + "/authority.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw Failure(description: "cannot write in '\(folder)': \(String(cString: strerror(errno)))")
        }
        defer { close(lock) }
        let kept = try Self.read(certificateFile, keyFile)
        if let kept { authority = kept } else { authority = try Self.make(certificateFile, keyFile) }
        guard let key = wwp_new_key() else { throw Failure(description: "OpenSSL makes no key") }
        leafKey = Identity(certificate: authority.certificate, key: key)
    }

    private static func read(_ certificateFile: String, _ keyFile: String) throws(Failure) -> Identity? {
        guard let certificates = BIO_new_file(certificateFile, "r") else {
            ERR_clear_error()
            return nil
        }
        defer { BIO_free(certificates) }
        var status = stat()
        guard stat(keyFile, &status) == 0 else { return nil }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw Failure(
                description: "others can read the authority's key '\(keyFile)': "
                    + "'wireweight proxy untrust' removes it, and the next start makes a new one")
        }
        let keys = BIO_new_file(keyFile, "r")
        defer { BIO_free(keys) }
        guard let keys, let certificate = PEM_read_bio_X509(certificates, nil, nil, nil),
            let key = PEM_read_bio_PrivateKey(keys, nil, nil, nil), X509_check_private_key(certificate, key) == 1
        else {
            ERR_clear_error()
            throw Failure(
                description: "'\(certificateFile)' and '\(keyFile)' are no authority: "
                    + "'wireweight proxy untrust' removes them, and the next start makes a new one")
        }
        // A leaf must not outlive it.
        if wwp_seconds_left(certificate) > Int64(leafDays + 1) * 86_400 {
            return Identity(certificate: certificate, key: key)
        }
        X509_free(certificate)
        EVP_PKEY_free(key)
        return nil
    }

    private static func make(_ certificateFile: String, _ keyFile: String) throws(Failure) -> Identity {
        unlink(certificateFile)
        unlink(keyFile)
        let name = "Wireweight on \(String(ProcessInfo.processInfo.hostName.prefix(40)))"
        guard let key = wwp_new_key(), let certificate = wwp_new_authority(key, name, days) else {
            throw Failure(description: "OpenSSL makes no certificate")
        }
        guard wwp_write_key(key, keyFile) else {
            throw Failure(description: "cannot write '\(keyFile)': \(String(cString: strerror(errno)))")
        }
        // Of the two, the certificate comes last: with it the authority is whole.
        guard let file = BIO_new_file(certificateFile, "w"), PEM_write_bio_X509(file, certificate) == 1,
            BIO_free(file) == 1
        else { throw Failure(description: "cannot write '\(certificateFile)': \(String(cString: strerror(errno)))") }
        return Identity(certificate: certificate, key: key)
    }

    /// SHA-256 of the certificate, as systems show it.
    package var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 32
        X509_digest(authority.certificate, EVP_sha256(), &digest, &count)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }

    /// Days until a new one is made.
    package var daysLeft: Int { Int(wwp_seconds_left(authority.certificate) / 86_400) }

    /// The certificate as devices install it.
    package var der: [UInt8] { JavaTrustStore.encoded(authority.certificate) }

    /// A copy of the certificate, without the key, that everybody can read.
    package func writeCertificate(to path: String) throws(Failure) {
        guard let bytes = FileManager.default.contents(atPath: certificateFile) else {
            throw Failure(description: "cannot read '\(certificateFile)'")
        }
        do { try bytes.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw Failure(description: "cannot write '\(path)'")
        }
        chmod(path, 0o644)
    }

    /// Removes what `init(folder:)` and a program's trust have made; false if there was no authority.
    package static func remove(folder: String) -> Bool {
        let hadKey = unlink(folder + "/authority-key.pem") == 0
        let hadCertificate = unlink(folder + "/authority.pem") == 0
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name == "authority.lock" || name.hasPrefix("bundle") { unlink(folder + "/" + name) }
        rmdir(folder)
        return hadKey || hadCertificate
    }

    /// A certificate for a server, with its key; `address` is given if the host is one.
    ///
    /// Its reference is the caller's to free.
    func leaf(for host: String, address: [UInt8]) throws(TLSFailure) -> Identity {
        // Others wait: many connections want the same host at a time.
        let found = leaves.withLock { leaves -> Identity? in
            if let leaf = leaves[host], wwp_seconds_left(leaf.certificate) > 86_400 {
                X509_up_ref(leaf.certificate)
                return leaf
            }
            guard let certificate = newLeaf(host, address) else { return nil }
            let leaf = Identity(certificate: certificate, key: leafKey.key)
            // A crowd of names must not fill the memory; sessions hold their own reference.
            if leaves.count >= Self.mostLeaves {
                for old in leaves.values { X509_free(old.certificate) }
                leaves.removeAll(keepingCapacity: true)
            }
            if let old = leaves.updateValue(leaf, forKey: host) { X509_free(old.certificate) }
            X509_up_ref(leaf.certificate)
            return leaf
        }
        guard let found else {
            ERR_clear_error()
            throw TLSFailure(alert: 80, "OpenSSL makes no certificate for '\(host)'")
        }
        return found
    }

    private func newLeaf(_ host: String, _ address: [UInt8]) -> OpaquePointer? {
        wwp_new_leaf(leafKey.key, authority.certificate, authority.key, host, address, address.count, Self.leafDays)
    }
}
