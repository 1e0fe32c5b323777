import NIOCore

/// The channel of a client: gives what happens there to the session.
final class ClientEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let session: ProxySession

    init(_ session: ProxySession) { self.session = session }

    func channelActive(context: ChannelHandlerContext) { session.begin() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { session.clientSent(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) { session.clientPaused() }

    func channelWritabilityChanged(context: ChannelHandlerContext) { session.clientDrained() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { session.clientEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) { session.close() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { session.clientFailed(error) }
}

/// The channel to a server: gives what happens there to the session.
final class UpstreamEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let session: ProxySession

    init(_ session: ProxySession) { self.session = session }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        session.serverSent(unwrapInboundIn(data), on: context.channel)
    }

    func channelReadComplete(context: ChannelHandlerContext) { session.serverPaused(on: context.channel) }

    func channelWritabilityChanged(context: ChannelHandlerContext) { session.serverDrained() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { session.serverEnded(on: context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) { session.serverEnded(on: context.channel, isGone: true) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        session.serverFailed(error, on: context.channel)
    }
}
