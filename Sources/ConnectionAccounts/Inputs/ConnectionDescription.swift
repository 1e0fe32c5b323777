/// The properties of a connection, once a request goes over it.
package struct ConnectionDescription: Sendable {
    package var ends: ConnectionEnds
    package var localAddress: String
    package var usesTLS: Bool
    package var tlsVersion: String
    package var cipher: String
    /// The protocol agreed on by ALPN (RFC 7301); empty if there is none.
    package var applicationProtocol: String
    package var kernel: KernelCount?
    package var plaintext: PlaintextCount?
    package var prelude: ConnectionPrelude

    package init(
        ends: ConnectionEnds, localAddress: String, usesTLS: Bool, tlsVersion: String, cipher: String,
        applicationProtocol: String, kernel: KernelCount?, plaintext: PlaintextCount?, prelude: ConnectionPrelude
    ) {
        self.ends = ends
        self.localAddress = localAddress
        self.usesTLS = usesTLS
        self.tlsVersion = tlsVersion
        self.cipher = cipher
        self.applicationProtocol = applicationProtocol
        self.kernel = kernel
        self.plaintext = plaintext
        self.prelude = prelude
    }
}
