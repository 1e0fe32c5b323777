import NIOCore
import ProxyTLS
import ProxyWire

/// A tunnel that is opened: the device speaks TLS with the proxy, which speaks TLS with the server.
///
/// The server comes first, so that the device is offered what the server has chosen, and sees its failures. What is
/// deciphered on one side is enciphered on the other as it came: HTTP/1.1, HTTP/2 and whatever else they agree on.
extension ProxySession {
    private static let handshakeTime = TimeAmount.seconds(30)

    /// Waits for a hello of TLS, if this tunnel may be opened.
    func beginOpening(_ authority: Authority) {
        if let opener = context.opener, opener.opens(authority.host, for: clientAddress) {
            phase = .hello(authority)
        } else {
            phase = .tunnel
        }
    }

    /// Whether there is more to do.
    func takeHello(_ authority: Authority) -> Bool {
        switch input.withUnsafeReadableBytes({ ClientHello.find(in: $0) }) {
        case .incomplete: return false
        case .other: phase = .tunnel
        case .hello(let hello):
            let host = hello.serverName ?? authority.host
            guard let opener = context.opener, opener.opens(host, for: clientAddress) else {
                phase = .tunnel
                return true
            }
            openServer(host, hello, opener)
            return false
        }
        return true
    }

    private func openServer(_ host: String, _ hello: ClientHello, _ opener: TunnelOpener) {
        guard let server, let trust = context.trust else { return }
        phase = .opening
        let address = IPAddress(host)?.bytes ?? []
        do throws(TLSFailure) {
            let session = try TLSSession.client(
                trust, host: host, address: address, protocols: hello.protocols)
            let late = NIOLoopBound(self, eventLoop: loop)
            let timer = loop.scheduleTask(in: Self.handshakeTime) { late.value.close() }
            // Unowned would not do: the handler may outlive the session by a turn of the loop.
            let end = TLSEnd(session, host: host) { [weak self] result in
                timer.cancel()
                self?.serverOpened(result, host, address, opener)
            }
            serverTLS = end
            try? server.pipeline.syncOperations.addHandler(end, position: server.insideTLS)
            end.begin()
        } catch {
            opener.failed(host, error)
            self.end(with: ByteBuffer(bytes: error.record))
        }
    }

    private func serverOpened(
        _ result: Result<Void, TLSFailure>, _ host: String, _ address: [UInt8], _ opener: TunnelOpener
    ) {
        guard case .opening = phase, let serverTLS else { return }
        do throws(TLSFailure) {
            try result.get()
            let session = try TLSSession.server(
                opener.contexts, host: host, address: address, chosen: serverTLS.session.protocolName)
            let end = TLSEnd(session, host: host) { [weak self] result in self?.clientOpened(result) }
            end.other = serverTLS
            serverTLS.other = end
            clientTLS = end
            let pipeline = client.pipeline.syncOperations
            let position = network.map { ChannelPipeline.SynchronousOperations.Position.after($0) } ?? .first
            try? pipeline.addHandler(end, position: position)
            if let inner = network?.handOver() {
                try? pipeline.addHandler(inner, position: .after(end))
                network = inner
            }
            phase = .tunnel
            openedHost = host
            let hello = input
            input = ByteBuffer()
            end.begin(with: hello)
            passEndOn()
        } catch {
            if error.alert == 0 { return self.end(with: nil) }
            if !noteWantedCertificate(error) { opener.failed(host, error) }
            self.end(with: ByteBuffer(bytes: error.record))
        }
    }

    /// Learns whether a server has ended because it wants a certificate, which only the device has.
    @discardableResult func noteWantedCertificate(_ failure: TLSFailure) -> Bool {
        guard let serverTLS, serverTLS.session.isAskedForCertificate, failure.mayWantCertificate else { return false }
        context.opener?.noteWanting(serverTLS.host)
        return true
    }

    private func clientOpened(_ result: Result<Void, TLSFailure>) {
        switch result {
        case .success:
            if let session = clientTLS?.session { network?.handshakeIsOver(roundTrips: session.handshakeRoundTrips) }
            readServer()
        case .failure(let failure):
            noteOpened(failure.isRefusal ? .refusal : .silence)
            close()
        }
    }

    /// Learns from an opened tunnel, once, whether the device takes the certificate.
    func noteOpened(_ sign: CertificateRefusals.Sign) {
        guard let host = openedHost else { return }
        openedHost = nil
        context.opener?.note(sign, of: host, by: clientAddress)
    }
}
