import ProxyTLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The variables by which a program's clients trust the proxy's authority, besides those that they trust anyway.
struct ProgramTrust {
    private let authority: CertificateAuthority

    /// Where systems keep the authorities that they trust.
    private static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]
    /// Of OpenSSL, Go and Ruby; curl; Python's requests; git; AWS; pip; cargo; Deno.
    private static let bundleVariables = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE", "PIP_CERT",
        "CARGO_HTTP_CAINFO", "DENO_CERT",
    ]

    init(_ authority: CertificateAuthority) { self.authority = authority }

    /// Sets the variables; returns options for Java, whose store has the system's authorities in place of its own.
    func extend(_ environment: inout [String: String]) -> [String] {
        let files = FileManager.default
        // Node adds it to its own.
        environment["NODE_EXTRA_CA_CERTS"] = environment["NODE_EXTRA_CA_CERTS"] ?? authority.certificateFile
        let system = environment["SSL_CERT_FILE"].map { [$0] } ?? Self.systemBundles
        guard let bundle = system.lazy.compactMap({ files.contents(atPath: $0) }).first,
            let own = files.contents(atPath: authority.certificateFile)
        else { return [] }
        let all = bundle + own
        guard let path = write(all, "bundle.pem") else { return [] }
        for name in Self.bundleVariables { environment[name] = path }
        // A store that the program was given has what it needs besides.
        if environment["JAVA_TOOL_OPTIONS"]?.contains("-Djavax.net.ssl.trustStore=") == true { return [] }
        let password = "changeit"
        guard let store = write(Data(JavaTrustStore.bytes(pem: Array(all), password: password)), "bundle.jks") else {
            return []
        }
        return [
            "-Djavax.net.ssl.trustStore='\(store)'", "-Djavax.net.ssl.trustStoreType=JKS",
            "-Djavax.net.ssl.trustStorePassword=\(password)",
        ]
    }

    /// The path of a file beside the authority's.
    private func write(_ bytes: Data, _ name: String) -> String? {
        let path = authority.certificateFile.dropLast("authority.pem".count) + name
        do { try bytes.write(to: URL(fileURLWithPath: String(path)), options: .atomic) } catch {
            Desk.say("cannot write '\(path)': \(error)")
            return nil
        }
        return String(path)
    }
}
