import NIOCore
import ProxyWire

extension ProxySession {
    /// Takes what has come, as far as it can be sent on.
    func process() {
        isWaiting = false
        while input.readableBytes > 0 {
            switch phase {
            case .start:
                guard let first = input.readableBytesView.first, begin(with: first) else { return }
            case .socksRequest: if !takeSOCKS() { return }
            case .head: if !takeHead() { return }
            case .body(let scanner): if !takeBody(scanner) { return }
            case .tunnel:
                server?.write(input, promise: nil)
                input.clear()
            case .hello(let authority): if !takeHello(authority) { return }
            case .connecting, .opening: return
            case .ending, .closed: return input.clear()
            }
        }
    }

    /// Chooses the protocol by its first byte; false if the proxy does not speak it.
    private func begin(with first: UInt8) -> Bool {
        switch first {
        case SOCKS5.version where refusal == nil:
            phase = .socksRequest
            takesGreeting = true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "\r"),
            UInt8(ascii: "\n"):
            phase = .head
        case 4:
            // SOCKS version 4: rejected.
            end(with: ByteBuffer(bytes: [0, 0x5B, 0, 0, 0, 0, 0, 0]))
            return false
        default:
            close()
            return false
        }
        return true
    }

    /// Whether there is more to do.
    private func takeHead() -> Bool {
        guard asked.count < Self.mostAsked else { return wait() }
        skipEmptyLines()
        guard input.readableBytes > 0 else {
            nothingIsThere()
            return false
        }
        watchHead()
        guard let count = input.withUnsafeReadableBytes({ headEnd.find(in: $0) }) else {
            if headEnd.hasBareLF {
                answerLast(.badRequest, Malformed.line.reason)
            } else if input.readableBytes > Self.mostHead {
                answerLast(.headTooLarge, Malformed.tooLong.reason)
            }
            return false
        }
        headIsThere()
        if let refusal {
            refuse(refusal.status, refusal.reason)
            return false
        }
        if count > Self.mostHead {
            answerLast(.headTooLarge, Malformed.tooLong.reason)
            return false
        }
        let parsed = input.withUnsafeReadableBytes { bytes in
            Result<RequestHead, Malformed> { () throws(Malformed) in try RequestHead(Bytes(rebasing: bytes[..<count])) }
        }
        switch parsed {
        case .failure(let malformed):
            answerLast(.badRequest, malformed.reason)
            return false
        case .success(let head): return take(head, count)
        }
    }

    private func wait() -> Bool {
        isWaiting = true
        return false
    }

    /// Empty lines before a request line are ignored (RFC 9112, section 2.2).
    private func skipEmptyLines() {
        while input.readableBytes >= 2, input.getInteger(at: input.readerIndex, as: UInt16.self) == 0x0D0A {
            input.moveReaderIndex(forwardBy: 2)
        }
    }

    private func take(_ head: RequestHead, _ count: Int) -> Bool {
        if let file = ownFile(head, count) {
            if asked.isEmpty { end(with: file) } else { isWaiting = true }
            return false
        }
        switch head.target {
        case .authority(let authority):
            // Responses to earlier requests come first.
            guard asked.isEmpty else { return wait() }
            input.moveReaderIndex(forwardBy: count)
            dropServer()
            open(authority, isTunnel: true) { session in
                session.beginTunnel(authority, ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
            }
            return false
        case .absolute(_, isTLS: true):
            answerLast(.notImplemented, "https goes through CONNECT, not through a request in the clear")
            return false
        case .origin:
            answerLast(
                .badRequest, "this is a proxy: it needs the whole URL, as clients send that know it as their proxy")
            return false
        case .absolute(let authority, isTLS: false):
            if isLast {
                answerLast(.unavailable, "it is ending")
                return false
            }
            if origin == authority, let server, !hasServerEnded {
                sendOn(head, count, to: server)
                return true
            }
            guard asked.isEmpty else { return wait() }
            dropServer()
            // The header section stays where it is until there is a server.
            open(authority, isTunnel: false) { session in
                session.phase = .head
                session.process()
            }
            return false
        }
    }

    private func sendOn(_ head: RequestHead, _ count: Int, to server: any Channel) {
        var output = client.allocator.buffer(capacity: count + 64)
        input.withUnsafeReadableBytes { bytes in
            head.forEachPiece(of: Bytes(rebasing: bytes[..<count]), to: way.recipient) { output.writeBytes($0) }
        }
        input.moveReaderIndex(forwardBy: count)
        server.write(output, promise: nil)
        asked.append(
            Asked(isHEAD: head.isHEAD, wantsClose: head.wantsClose, offersUpgrade: head.offersUpgrade))
        let scanner = BodyScanner(head.body)
        isBodyHeld = head.expectsContinue
        phase = scanner.isDone ? .head : .body(scanner)
    }

    private func takeBody(_ scanner: BodyScanner) -> Bool {
        isBodyHeld = false
        var scanner = scanner
        let taken = input.withUnsafeReadableBytes { bytes in
            Result<Int, Malformed> { () throws(Malformed) in try scanner.take(bytes) }
        }
        guard case .success(let count) = taken, let slice = input.readSlice(length: count) else {
            // The server has a part of the request, and must not take what follows for another one.
            close()
            return false
        }
        server?.write(slice, promise: nil)
        phase = scanner.isDone ? .head : .body(scanner)
        return scanner.isDone
    }

    /// The proxy's own answer to a request, when those before it have theirs.
    private func answerLast(_ status: RefusalStatus, _ reason: String) {
        if asked.isEmpty { refuse(status, reason) } else { isWaiting = true }
    }

    // MARK: SOCKS

    private func takeSOCKS() -> Bool {
        let message = input.withUnsafeReadableBytes { takesGreeting ? SOCKS5.greeting($0) : SOCKS5.request($0) }
        switch message {
        case .incomplete:
            watchHead()
            return false
        case .greeting(let count, let isAccepted):
            input.moveReaderIndex(forwardBy: count)
            takesGreeting = false
            let answer = ByteBuffer(bytes: SOCKS5.method(isAccepted: isAccepted))
            guard isAccepted else {
                end(with: answer)
                return false
            }
            client.writeAndFlush(answer, promise: nil)
            watchHead()
            return true
        case .connect(let count, let authority):
            headIsThere()
            input.moveReaderIndex(forwardBy: count)
            isSOCKS = true
            open(authority, isTunnel: true) { session in
                session.beginTunnel(authority, ByteBuffer(bytes: SOCKS5.reply(.succeeded)))
            }
            return false
        case .unsupported(let reply): end(with: ByteBuffer(bytes: SOCKS5.reply(reply)))
        case .malformed: close()
        }
        return false
    }

    // MARK: the server

    /// Connects to a server, and goes on when the connection is there.
    private func open(_ authority: Authority, isTunnel: Bool, then: @escaping (ProxySession) -> Void) {
        phase = .connecting
        way = Way(to: authority, isTunnel: isTunnel, context.settings.chain)
        hasServerEnded = false
        response = .head
        responseInput.clear()
        responseEnd = HeadEnd(allowsBareLF: true)
        guard let clientAddress else { return close() }
        let connector = Connector(
            context: context,
            client: Reach.Client(
                address: clientAddress, reached: client.localAddress?.ip, machine: context.machine.addresses),
            loop: loop)
        let bound = NIOLoopBound((self, then), eventLoop: loop)
        connector.connect(to: authority, by: way, for: self).whenComplete { result in
            let (session, then) = bound.value
            session.opened(result, authority, then)
        }
    }

    private func opened(
        _ result: Result<any Channel, any Error>, _ authority: Authority, _ then: (ProxySession) -> Void
    ) {
        attempt = nil
        guard case .connecting = phase else {
            // The client has gone meanwhile.
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        switch result {
        case .success(let channel):
            server = channel
            origin = authority
            then(self)
            server?.flush()
            passEndOn()
            readServer()
            readClient()
        case .failure(let error):
            let failure = error as? Unreachable ?? .connection(error)
            if isSOCKS { return end(with: ByteBuffer(bytes: SOCKS5.reply(failure.reply))) }
            end(with: Refusal.response(failure.status, failure.reason(authority), parameters: failure.parameters))
        }
    }

    private func beginTunnel(_ authority: Authority, _ answer: ByteBuffer) {
        client.writeAndFlush(answer, promise: nil)
        headIsThere()
        beginOpening(authority)
        process()
    }
}
