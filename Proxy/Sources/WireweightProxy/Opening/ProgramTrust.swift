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
    /// Of OpenSSL, Go and Ruby; curl; Python's requests; git; AWS; pip; cargo; Deno; gRPC.
    private static let bundleVariables = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE", "PIP_CERT",
        "CARGO_HTTP_CAINFO", "DENO_CERT", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    ]
    /// Node adds what it is given to its own.
    private static let additionVariable = "NODE_EXTRA_CA_CERTS"

    init(_ authority: CertificateAuthority) { self.authority = authority }

    /// Sets the variables; returns options for Java, whose store has the system's authorities in place of its own.
    ///
    /// What a variable named before, such as a company's authorities, stays trusted by its clients.
    func extend(_ environment: inout [String: String]) -> [String] {
        let given = environment
        environment[Self.additionVariable] =
            given[Self.additionVariable].flatMap(extended) ?? authority.certificateFile
        guard let usual = given["SSL_CERT_FILE"].flatMap(extended) ?? Self.systemBundles.lazy.compactMap(extended).first
        else { return [] }
        for name in Self.bundleVariables { environment[name] = given[name].flatMap(extended) ?? usual }
        // A store that the program was given has what it needs besides.
        if environment["JAVA_TOOL_OPTIONS"]?.contains("-Djavax.net.ssl.trustStore=") == true { return [] }
        let password = "changeit"
        guard let all = FileManager.default.contents(atPath: usual),
            let store = write(Data(JavaTrustStore.bytes(pem: Array(all), password: password)), "bundle.jks")
        else { return [] }
        return [
            "-Djavax.net.ssl.trustStore='\(store)'", "-Djavax.net.ssl.trustStoreType=JKS",
            "-Djavax.net.ssl.trustStorePassword=\(password)",
        ]
    }

    /// The path of a file with those of the file `path`, and the authority; nil if there is no such file.
    private func extended(_ path: String) -> String? {
        let files = FileManager.default
        guard let others = files.contents(atPath: path), let own = files.contents(atPath: authority.certificateFile)
        else { return nil }
        let isEnded = others.isEmpty || others.last == UInt8(ascii: "\n")
        // One for each file that is extended: programs with other variables may run at the same time.
        let name = "bundle" + (path.hasPrefix("/") ? "" : "-") + path.split(separator: "/").map { "-\($0)" }.joined()
        return write(others + (isEnded ? Data() : Data("\n".utf8)) + own, name)
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
