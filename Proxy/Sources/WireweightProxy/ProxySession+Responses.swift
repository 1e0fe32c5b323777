import NIOCore
import NIOPosix
import ProxyTLS
import ProxyWire

extension ProxySession {
    func serverSent(_ buffer: ByteBuffer, on channel: any Channel) {
        guard channel === server else { return }
        // A server that speaks first speaks no TLS.
        if case .hello = phase {
            phase = .tunnel
            process()
        }
        if case .tunnel = phase { return client.write(buffer, promise: nil) }
        var buffer = buffer
        if responseInput.readableBytes == 0 { responseInput = buffer } else { responseInput.writeBuffer(&buffer) }
        while responseInput.readableBytes > 0, channel === server {
            if case .tunnel = phase {
                client.write(responseInput, promise: nil)
                return responseInput.clear()
            }
            switch response {
            case .head: if !takeResponseHead() { return }
            case .body(let scanner): takeResponseBody(scanner)
            }
        }
    }

    func serverPaused(on channel: any Channel) {
        client.flush()
        guard channel === server else { return }
        readServer()
    }

    func serverDrained() { readClient() }

    /// Reads on where the client can take more.
    func readServer() {
        guard let server, !hasServerEnded, client.isWritable, network?.isFull != true else { return }
        server.read()
    }

    private func takeResponseHead() -> Bool {
        guard let first = asked.first else {
            // It belongs to no request. The client gets it as it came, and the connection ends, so that it is not taken
            // for the next request's response.
            end(with: responseInput)
            return false
        }
        guard let count = responseInput.withUnsafeReadableBytes({ responseEnd.find(in: $0) }) else {
            if responseInput.readableBytes > 4 * Self.mostHead || !mayBeHTTP() { passUntilClose() }
            return responseInput.readableBytes > 0 && isPassing
        }
        let head = responseInput.withUnsafeReadableBytes { ResponseHead(Bytes(rebasing: $0[..<count])) }
        guard let head, let slice = responseInput.readSlice(length: count) else {
            passUntilClose()
            return true
        }
        if let refused = way.refusal(head.status) {
            end(with: Refusal.response(refused.status, refused.reason(origin!), parameters: refused.parameters))
            return false
        }
        client.write(slice, promise: nil)
        if head.isInterim {
            if head.status == 100 { isBodyHeld = false }
            return true
        }
        if head.status == 101 {
            // Only a client that has offered another protocol, and waits, changes to it (RFC 9110, section 7.8).
            guard first.offersUpgrade, asked.count == 1, case .head = phase else {
                passUntilClose()
                return true
            }
            asked.removeFirst()
            headIsThere()
            phase = .tunnel
            process()
            server?.flush()
            passEndOn()
            readClient()
            return true
        }
        let scanner = BodyScanner(first.isHEAD ? .none : head.body)
        if head.wantsClose || first.wantsClose || scanner.endsAtClose { isLast = true }
        response = .body(scanner)
        if scanner.isDone { responseEnded() }
        return true
    }

    /// Whether these can be the first bytes of a response.
    private func mayBeHTTP() -> Bool {
        let start = "HTTP/1."
        return responseInput.readableBytesView.prefix(start.utf8.count).elementsEqual(
            start.utf8.prefix(responseInput.readableBytes))
    }

    /// What is no response goes to the client as it is, until the server ends the connection.
    private func passUntilClose() {
        isLast = true
        response = .body(BodyScanner(.untilClose))
    }

    private var isPassing: Bool {
        if case .body(let scanner) = response { return scanner.endsAtClose }
        return false
    }

    private func takeResponseBody(_ scanner: BodyScanner) {
        var scanner = scanner
        let taken = responseInput.withUnsafeReadableBytes { bytes in
            Result<Int, Malformed> { () throws(Malformed) in try scanner.take(bytes) }
        }
        guard case .success(let count) = taken else { return passUntilClose() }
        if count == responseInput.readableBytes {
            client.write(responseInput, promise: nil)
            responseInput.clear()
        } else if let slice = responseInput.readSlice(length: count) {
            client.write(slice, promise: nil)
        }
        response = .body(scanner)
        if scanner.isDone { responseEnded() }
    }

    private func responseEnded() {
        asked.removeFirst()
        response = .head
        responseEnd = HeadEnd(allowsBareLF: true)
        // What follows may be the body or, after a refusal, another request: only a new connection is certain.
        if isBodyHeld, asked.isEmpty { isLast = true }
        if isLast { return end(with: nil) }
        // A request may have waited for it.
        if input.readableBytes > 0 { process() }
        passEndOn()
        server?.flush()
        readClient()
    }

    // MARK: the server's end

    /// `isGone`: it takes nothing any more, either.
    func serverEnded(on channel: any Channel, isGone: Bool = false) {
        guard channel === server, !hasServerEnded || isGone else { return }
        if case .hello = phase {
            phase = .tunnel
            process()
        }
        hasServerEnded = true
        if isGone { server = nil }
        switch phase {
        // The end of its TLS says it to the session.
        case .opening: break
        case .tunnel:
            // Each direction ends for itself.
            endOutput(of: client)
            if isGone { end(with: nil) }
        case .ending, .closed: break
        default:
            if isPassing || !asked.isEmpty || isBodyUnderWay {
                // A response that ends so is complete, or cut as it was for the proxy.
                end(with: responseInput.readableBytes > 0 ? responseInput : nil)
            } else {
                // Between two exchanges: the next one gets a new connection.
                dropServer()
                if hasClientEnded { end(with: nil) }
            }
        }
    }

    private var isBodyUnderWay: Bool {
        if case .body = phase { return true }
        return false
    }

    func serverFailed(_ error: any Error, on channel: any Channel) {
        guard channel === server else { return }
        if case .closed = phase { return }
        // From TLS 1.3 on a server misses a certificate when its client takes the handshake for complete.
        if let failure = error as? TLSFailure { noteWantedCertificate(failure) }
        // What the client would see without the proxy; between two exchanges it would see it, too, and need not.
        let isReset = (error as? IOError)?.errnoCode == ECONNRESET
        guard isReset, !asked.isEmpty || isTunnel else { return serverEnded(on: channel, isGone: true) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        client.writeAndFlush(ByteBuffer()).whenComplete { _ in
            ProxySession.reset(bound.value.client)
            bound.value.close()
        }
    }

    private var isTunnel: Bool {
        switch phase {
        case .tunnel, .hello, .opening: true
        default: false
        }
    }
}
