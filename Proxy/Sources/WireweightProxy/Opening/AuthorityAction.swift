import ArgumentParser
import ProxyTLS

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a person does with the authority: see it, let this system trust it, or take it back.
enum AuthorityAction: String, ExpressibleByArgument {
    case show, install, remove

    /// Where Debian and its kin look for authorities that a person has added.
    private static let systemFile = "/usr/local/share/ca-certificates/wireweight.crt"

    func run() throws {
        let folder = try CertificateAuthority.folder()
        switch self {
        case .show: Self.show(try CertificateAuthority(folder: folder))
        case .install: try Self.install(try CertificateAuthority(folder: folder))
        case .remove: try Self.remove(folder)
        }
    }

    private static func show(_ authority: CertificateAuthority) {
        let file = authority.certificateFile
        print(
            """
            Authority    \(file)
            SHA-256      \(authority.fingerprint)
            Valid for    \(authority.daysLeft) days

            Who trusts it trusts every certificate that this machine makes. Its key stays in the same folder, for you
            alone to read. Trust it only on devices of yours, and take it back when you are done.

            This system    sudo -E wireweight proxy trust --install     (Debian, Ubuntu: curl, URLSession, git)
            Chromium       mkdir -p ~/.pki/nssdb; certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n wireweight -i '\(file)'
            Firefox        Settings, Privacy & Security, View Certificates, Authorities, Import
            Java           keytool -importcert -cacerts -alias wireweight -storepass changeit -file '\(file)'
            macOS          security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db '\(file)'
            iOS simulator  xcrun simctl keychain booted add-root-cert '\(file)'
            iPhone, iPad   open the page at the proxy's address and get the profile; the page has the steps
            Android        get the certificate from the same page; apps must allow the user's certificates

            \(untried)
            A program that the proxy starts ('wireweight proxy --open-tls -- PROGRAM') trusts it by its environment.
            Take it back: wireweight proxy untrust, and what was installed elsewhere in the same places.
            """)
    }

    private static let untried =
        "The steps for macOS, the iOS simulator, iPhone, iPad and Android have not been tried on a device."

    private static func install(_ authority: CertificateAuthority) throws {
        guard access("/usr/sbin/update-ca-certificates", X_OK) == 0 else {
            Desk.say("this system has no update-ca-certificates; 'wireweight proxy trust' lists other ways")
            throw ExitCode(69)
        }
        do { try authority.writeCertificate(to: systemFile) } catch {
            Desk.say("\(error); it needs root: sudo -E wireweight proxy trust --install")
            throw ExitCode(77)
        }
        try updateSystem()
        print(
            "This system trusts the authority, until 'wireweight proxy untrust'. Programs that run must be started again."
        )
    }

    private static func remove(_ folder: String) throws {
        if access(systemFile, F_OK) == 0 {
            guard unlink(systemFile) == 0 else {
                Desk.say("cannot remove '\(systemFile)'; it needs root: sudo -E wireweight proxy untrust")
                throw ExitCode(77)
            }
            try updateSystem()
            print("This system no longer trusts the authority.")
        }
        let removed = CertificateAuthority.remove(folder: folder)
        print(removed ? "The authority and its key are removed from \(folder)." : "There is no authority in \(folder).")
        print(
            """

            Where you installed it elsewhere, remove it there, too:

            Chromium       certutil -d sql:$HOME/.pki/nssdb -D -n wireweight
            Firefox        Settings, Privacy & Security, View Certificates, Authorities: delete Wireweight
            Java           keytool -delete -cacerts -alias wireweight -storepass changeit
            macOS          Keychain Access, login, Certificates: delete Wireweight
            iOS simulator  xcrun simctl keychain booted reset     (all that was added to it)
            iPhone, iPad   Settings, General, VPN & Device Management: remove the profile
            Android        Settings, Security, Encryption & credentials, User credentials: remove it

            \(untried)
            """)
    }

    private static func updateSystem() throws {
        guard system("/usr/sbin/update-ca-certificates >/dev/null") == 0 else {
            Desk.say("update-ca-certificates failed; run it again to see why")
            throw ExitCode(71)
        }
    }
}
