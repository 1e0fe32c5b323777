import COpenSSL
import CProxyTLS

/// Whom the proxy trusts among servers and upstream proxies, and how it speaks TLS with them.
package final class TLSTrust: @unchecked Sendable {
    // Set up before the first session; OpenSSL locks what it changes later.
    let context: OpaquePointer

    /// Why there is none.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The system's authorities, and those of `file`.
    package init(file: String? = nil) throws(Failure) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw Failure(description: "OpenSSL has no memory")
        }
        self.context = context
        wwp_set_defaults(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_default_verify_paths(context)
        SSL_CTX_set_client_cert_cb(context) { session, _, _ in
            if let session, let data = SSL_get_ex_data(session, 0) {
                Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue().isAskedForCertificate = true
            }
            return 0
        }
        if let file, SSL_CTX_load_verify_locations(context, file, nil) != 1 {
            ERR_clear_error()
            throw Failure(description: "'\(file)' has no certificate in PEM that can be read")
        }
    }
}
