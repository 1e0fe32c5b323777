import NIOCore
import ProxyTLS
import ProxyWire

/// TLS with an upstream proxy, inside which requests and tunnels go.
enum UpstreamTLS {
    private static let time = TimeAmount.seconds(30)

    /// The channel when the handshake is over; it is closed if the upstream proxy does not prove its name.
    static func begin(
        to authority: Authority, on channel: any Channel, _ trust: TLSTrust?
    ) -> EventLoopFuture<any Channel> {
        let opened = channel.eventLoop.makePromise(of: (any Channel).self)
        let late = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        opened.futureResult.whenComplete { _ in late.cancel() }
        do {
            guard let trust else { throw TLSFailure(alert: 80, "OpenSSL is not set up") }
            let session = try TLSSession.client(
                trust, host: authority.host, address: IPAddress(authority.host)?.bytes ?? [],
                protocols: [8] + Array("http/1.1".utf8))
            let end = TLSEnd(session, host: authority.host, saysEnd: true) { result in
                switch result {
                case .success: opened.succeed(channel)
                case .failure(let failure):
                    opened.fail(Unreachable.tls(failure))
                    channel.close(promise: nil)
                }
            }
            try channel.pipeline.syncOperations.addHandler(end, position: .first)
            end.begin()
        } catch {
            opened.fail((error as? TLSFailure).map(Unreachable.tls) ?? Unreachable.connection(error))
            channel.close(promise: nil)
        }
        return opened.futureResult
    }
}

extension Channel {
    /// Where a handler belongs that reads what is inside the TLS with an upstream proxy, if there is one.
    var insideTLS: ChannelPipeline.SynchronousOperations.Position {
        (try? pipeline.syncOperations.handler(type: TLSEnd.self)).map { .after($0) } ?? .first
    }
}
