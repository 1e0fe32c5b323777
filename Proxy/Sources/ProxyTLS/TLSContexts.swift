import COpenSSL
import CProxyTLS

/// What the sessions of tunnels that are opened share: how the proxy answers devices.
package final class TLSContexts: @unchecked Sendable {
    // Set up before the first session; OpenSSL locks what it changes later (the cache of sessions).
    let server: OpaquePointer
    package let authority: CertificateAuthority

    package init(authority: CertificateAuthority) throws(CertificateAuthority.Failure) {
        guard let server = SSL_CTX_new(TLS_server_method()) else { throw .init(description: "OpenSSL has no memory") }
        self.server = server
        self.authority = authority
        wwp_set_defaults(server)
        // A session that goes on (RFC 8446, section 2.2) would not show the certificate of this time.
        SSL_CTX_ctrl(server, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_set_num_tickets(server, 0)
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
