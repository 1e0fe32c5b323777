import COpenSSL
import CProxyTLS

/// One end of a connection of TLS, whose bytes come from and go to the one who owns it.
///
/// Not for two threads at a time.
package final class TLSSession {
    package enum Read {
        case bytes(Int)
        /// Nothing until more has come.
        case wait
        /// The peer has said that it sends no more.
        case end
    }

    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// Of a server: the protocol that the device gets.
    let chosen: UnsafeMutableBufferPointer<UInt8>
    private let checksPeer: Bool
    /// Of a client: the server has asked for its certificate, of which there is none.
    package internal(set) var isAskedForCertificate = false

    private init(_ context: OpaquePointer, chosen protocolName: [UInt8], checksPeer: Bool) throws(TLSFailure) {
        guard let session = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
        else { throw TLSFailure(alert: 80, "OpenSSL has no memory") }
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        self.checksPeer = checksPeer
        chosen = .allocate(capacity: protocolName.count)
        _ = chosen.initialize(from: protocolName)
        wwp_wait_when_empty(incoming)
        wwp_wait_when_empty(outgoing)
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_ex_data(session, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        // Otherwise OpenSSL forgets the session of a connection that has ended without TLS's own word, which RFC 2246 asked
        // for, and later versions (RFC 5246, section 7.2.1) do not. After a fatal alert it is forgotten in any case.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
        chosen.deallocate()
    }

    /// A client of a server, which must prove that it is `host`.
    ///
    /// `protocols` as in the extension (RFC 7301). `address` is given if the host is one.
    package static func client(
        _ trust: TLSTrust, host: String, address: [UInt8], protocols: [UInt8]
    ) throws(TLSFailure) -> TLSSession {
        let result = try TLSSession(trust.context, chosen: [], checksPeer: true)
        let parameters = SSL_get0_param(result.session)
        let isSet: Bool
        if address.isEmpty {
            wwp_set_server_name(result.session, host)
            X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            isSet = X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
        } else {
            isSet = X509_VERIFY_PARAM_set1_ip(parameters, address, address.count) == 1
        }
        let isOffered =
            protocols.isEmpty || SSL_set_alpn_protos(result.session, protocols, UInt32(protocols.count)) == 0
        guard isSet, isOffered else { throw TLSFailure(alert: 80, "OpenSSL does not take the name '\(host)'") }
        SSL_set_connect_state(result.session)
        return result
    }

    /// A server for a device, with a certificate for `host` by the proxy's authority.
    package static func server(
        _ contexts: TLSContexts, host: String, address: [UInt8], chosen: [UInt8]
    ) throws(TLSFailure) -> TLSSession {
        let leaf = try contexts.authority.leaf(for: host, address: address)
        defer { X509_free(leaf.certificate) }
        let result = try TLSSession(contexts.server, chosen: chosen, checksPeer: false)
        guard SSL_use_certificate(result.session, leaf.certificate) == 1,
            SSL_use_PrivateKey(result.session, leaf.key) == 1,
            // A session goes on only with the host whose certificate the device has checked.
            wwp_bind_sessions(result.session, host, host.utf8.count)
        else { throw TLSFailure(alert: 80, "OpenSSL does not take its own certificate") }
        SSL_set_accept_state(result.session)
        return result
    }

    /// The protocol that both ends speak; empty if none was chosen.
    package var protocolName: [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(session, &start, &count)
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    package var isOpen: Bool { SSL_is_init_finished(session) == 1 }

    /// How many round trips the handshake takes before the client can send anything (RFC 8446, section 2; RFC 5246,
    /// section 7.3).
    package var handshakeRoundTrips: Int {
        SSL_version(session) == TLS1_3_VERSION || SSL_session_reused(session) == 1 ? 1 : 2
    }

    /// Whether the peer has said that it sends no more, and not only stopped.
    package var hasEnded: Bool { SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 }

    /// Takes what the peer has sent.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        _ = BIO_write(incoming, start, Int32(bytes.count))
    }

    /// Goes on with the handshake; true when it is over.
    package func handshake() throws(TLSFailure) -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        if result == 1 { return true }
        let error = SSL_get_error(session, result)
        if error == SSL_ERROR_WANT_READ { return false }
        let verification = SSL_get_verify_result(session)
        if checksPeer, verification != Int(X509_V_OK) {
            ERR_clear_error()
            throw .verification(verification)
        }
        throw .last()
    }

    /// Deciphers into `buffer`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSFailure) -> Read {
        ERR_clear_error()
        let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ: return .wait
        case SSL_ERROR_ZERO_RETURN: return .end
        default: throw .last()
        }
    }

    /// Enciphers all of it.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
        var position = 0
        ERR_clear_error()
        while position < bytes.count {
            let part = min(bytes.count - position, 1 << 20)
            let count = SSL_write(session, bytes.baseAddress! + position, Int32(part))
            guard count > 0 else { throw .last() }
            position += Int(count)
        }
    }

    /// Says that no more is sent.
    package func end() {
        if isOpen { SSL_shutdown(session) }
        ERR_clear_error()
    }

    /// How much waits to go to the peer.
    package var outputCount: Int { BIO_ctrl_pending(outgoing) }

    /// Moves what is to go to the peer into `buffer`.
    package func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(buffer.count))))
    }
}
