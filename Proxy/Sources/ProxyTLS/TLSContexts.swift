import COpenSSL
import CProxyTLS

/// What the sessions of tunnels that are opened share: how the proxy answers devices.
package final class TLSContexts: @unchecked Sendable {
    // Set up before the first session; OpenSSL locks what it changes later (the cache of sessions).
    let server: OpaquePointer
    package let authority: CertificateAuthority
    private static let mostSessions = 2_000
    /// In seconds.
    private static let sessionLife = 600

    package init(authority: CertificateAuthority) throws(CertificateAuthority.Failure) {
        guard let server = SSL_CTX_new(TLS_server_method()) else { throw .init(description: "OpenSSL has no memory") }
        self.server = server
        self.authority = authority
        wwp_set_defaults(server)
        // A device may go on with an earlier session (RFC 8446, section 2.2) of the same host: see
        // `TLSSession.server`. Sessions are kept here, in memory, and a ticket is only the number of one: no key that
        // seals tickets could open what was recorded of older connections. There is no early data that could be replayed.
        SSL_CTX_ctrl(server, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_SERVER), nil)
        SSL_CTX_ctrl(server, SSL_CTRL_SET_SESS_CACHE_SIZE, Self.mostSessions, nil)
        SSL_CTX_set_timeout(server, Self.sessionLife)
        SSL_CTX_set_num_tickets(server, 2)
        SSL_CTX_set_options(server, UInt64(1) << 14)  // SSL_OP_NO_TICKET
        SSL_CTX_set_alpn_select_cb(
            server,
            { session, out, count, _, _, _ in
                guard let session, let data = SSL_get_ex_data(session, 0) else { return SSL_TLSEXT_ERR_NOACK }
                let chosen = Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue().chosen
                out?.pointee = UnsafePointer(chosen.baseAddress)
                count?.pointee = UInt8(chosen.count)
                return chosen.isEmpty ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_OK
            }, nil)
    }
}
