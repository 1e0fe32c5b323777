import ArgumentParser
import ProxyTLS
import ProxyWire

/// Whether TLS is opened, and for which hosts it is not.
struct OpeningOptions: ParsableArguments {
    @Flag var openTls = false
    @Option var closed: [String] = []
    @Option var upstreamCa: String?

    func validate() throws {
        guard openTls || closed.isEmpty else { throw ValidationError("'--closed' is for '--open-tls'; add it") }
        _ = try patterns()
    }

    private func patterns() throws -> [HostPattern] {
        try closed.map { text in
            guard let pattern = HostPattern(text) else {
                throw ValidationError("'--closed' takes a host such as bank.example or '*.bank.example', not '\(text)'")
            }
            return pattern
        }
    }

    /// Nil if TLS stays closed.
    func opener() throws -> TunnelOpener? {
        guard openTls else { return nil }
        let authority = try CertificateAuthority(folder: try CertificateAuthority.folder())
        return TunnelOpener(try TLSContexts(authority: authority), closed: try patterns())
    }

    /// Nil if the proxy itself speaks TLS with none.
    func trust(for chain: Chain) throws -> TLSTrust? {
        openTls || chain.usesTLS ? try TLSTrust(file: upstreamCa) : nil
    }
}
