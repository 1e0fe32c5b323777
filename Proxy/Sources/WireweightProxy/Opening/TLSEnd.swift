import NIOCore
import ProxyTLS

/// TLS on one side of a tunnel that is opened: ciphertext on the channel's side, plaintext on the session's.
final class TLSEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let session: TLSSession
    /// The server's name.
    let host: String
    /// The other side: whether the peer there has ended in the way of TLS, or only stopped, is passed on.
    weak var other: TLSEnd?

    /// Called once: when the handshake is over, or has failed.
    private var opened: ((Result<Void, TLSFailure>) -> Void)?
    private var context: ChannelHandlerContext?
    /// Written before the handshake was over.
    private var waiting: [(ByteBuffer, EventLoopPromise<Void>?)] = []
    private var hasFailed = false
    private var hasSaidEnd = false
    /// Whether an end is always said in the way of TLS, and not only where the other side's peer did.
    private let saysEnd: Bool

    private static let most = 64 * 1024

    init(
        _ session: TLSSession, host: String, saysEnd: Bool = false,
        opened: @escaping (Result<Void, TLSFailure>) -> Void
    ) {
        self.session = session
        self.host = host
        self.saysEnd = saysEnd
        self.opened = opened
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
    }

    /// Begins with what the peer has sent already.
    func begin(with buffer: ByteBuffer = ByteBuffer()) {
        guard let context else { return }
        take(buffer, context)
        context.flush()
        context.read()
    }

    // MARK: from the peer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(unwrapInboundIn(data), context) }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        if opened != nil { context.read() } else { context.fireChannelReadComplete() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            if opened != nil {
                return fail(TLSFailure(alert: 0, "it ended the connection during the handshake"), context)
            }
            if hasSaidEnd { return }
            hasSaidEnd = true
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if opened != nil { fail(TLSFailure(alert: 0, "it ended the connection during the handshake"), context) }
        context.fireChannelInactive()
    }

    private func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !hasFailed else { return }
        buffer.withUnsafeReadableBytes { session.receive($0) }
        do throws(TLSFailure) {
            if opened != nil {
                let isOver = try session.handshake()
                send(nil, context)
                guard isOver, let done = opened else { return }
                opened = nil
                done(.success(()))
                let writes = waiting
                waiting = []
                for (buffer, promise) in writes { try encipher(buffer, promise, context) }
                context.flush()
            }
            try decipher(context)
        } catch {
            fail(error, context)
        }
    }

    private func decipher(_ context: ChannelHandlerContext) throws(TLSFailure) {
        while true {
            var buffer = context.channel.allocator.buffer(capacity: Self.most)
            var result = Result<TLSSession.Read, TLSFailure>.success(.wait)
            _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.most) { bytes in
                result = Result { () throws(TLSFailure) in try session.read(into: bytes) }
                if case .success(.bytes(let count)) = result { return count }
                return 0
            }
            // A change of keys is answered while reading.
            send(nil, context)
            switch try result.get() {
            case .bytes: context.fireChannelRead(wrapInboundOut(buffer))
            case .wait: return
            case .end:
                if !hasSaidEnd {
                    hasSaidEnd = true
                    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                }
                return
            }
        }
    }

    private func fail(_ failure: TLSFailure, _ context: ChannelHandlerContext) {
        hasFailed = true
        send(nil, context)
        context.flush()
        if let done = opened {
            opened = nil
            done(.failure(failure))
        } else {
            context.fireErrorCaught(failure)
        }
    }

    // MARK: to the peer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let buffer = unwrapOutboundIn(data)
        guard opened == nil else { return waiting.append((buffer, promise)) }
        do throws(TLSFailure) { try encipher(buffer, promise, context) } catch {
            promise?.fail(error)
            fail(error, context)
        }
    }

    private func encipher(
        _ buffer: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) throws(TLSFailure) {
        let result = buffer.withUnsafeReadableBytes { bytes in
            Result<Void, TLSFailure> { () throws(TLSFailure) in try session.write(bytes) }
        }
        try result.get()
        send(promise, context)
    }

    /// Gives the channel what the session has for the peer.
    private func send(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let count = session.outputCount
        guard count > 0 || promise != nil else { return }
        var buffer = context.channel.allocator.buffer(capacity: count)
        if count > 0 {
            _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { session.takeOutput(into: $0) }
        }
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, !hasFailed, saysEnd || other?.session.hasEnded == true {
            session.end()
            send(nil, context)
            context.flush()
        }
        context.close(mode: mode, promise: promise)
    }
}
