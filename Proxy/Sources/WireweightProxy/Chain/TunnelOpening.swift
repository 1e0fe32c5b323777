import NIOCore
import ProxyWire

/// Opens a tunnel through an upstream proxy, and is gone when it is open.
final class TunnelOpening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let time = TimeAmount.seconds(30)

    private let proxy: UpstreamProxy
    private let opened: EventLoopPromise<any Channel>
    private var handshake: UpstreamHandshake
    private var input = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var isDone = false

    private init(_ proxy: UpstreamProxy, _ handshake: UpstreamHandshake, _ opened: EventLoopPromise<any Channel>) {
        self.proxy = proxy
        self.handshake = handshake
        self.opened = opened
    }

    /// The channel when the tunnel is open; it is closed if the upstream proxy refuses.
    static func run(
        through proxy: UpstreamProxy, to authority: Authority, on channel: any Channel
    ) -> EventLoopFuture<any Channel> {
        let opened = channel.eventLoop.makePromise(of: (any Channel).self)
        let handshake = UpstreamHandshake(through: proxy, to: authority)
        do {
            // Before the handler that gives what comes to the session.
            try channel.pipeline.syncOperations.addHandler(
                TunnelOpening(proxy, handshake, opened), position: channel.insideTLS)
        } catch {
            opened.fail(Unreachable.connection(error))
        }
        return opened.futureResult
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: Self.time) {
            let (handler, context) = bound.value
            handler.end(context, .late)
        }
        send(handshake.greeting, context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After a refusal, nothing of it is for the client.
        guard !isDone else { return }
        var buffer = unwrapInboundIn(data)
        input.writeBuffer(&buffer)
        while !isDone {
            let (count, step) = input.withUnsafeReadableBytes { handshake.take($0) }
            input.moveReaderIndex(forwardBy: count)
            switch step {
            case .wait:
                if count == 0 { return }
            case .send(let bytes): send(bytes, context)
            case .refused(let refusal): end(context, refusal)
            case .open: open(context)
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isDone { context.fireChannelReadComplete() } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end(context, .ended) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context, .ended)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context, .ended) }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func open(_ context: ChannelHandlerContext) {
        finish()
        // The session takes the channel at once, and then what has come through the tunnel.
        opened.succeed(context.channel)
        if input.readableBytes > 0 { context.fireChannelRead(NIOAny(input)) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, _ refusal: UpstreamRefusal) {
        guard !isDone else { return }
        finish()
        opened.fail(Unreachable.refused(proxy, refusal))
        context.close(promise: nil)
    }

    private func finish() {
        isDone = true
        timer?.cancel()
    }
}
