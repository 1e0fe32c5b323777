import TrafficModel

extension ServerLeg {
    /// The leg that an exchange of the proxy with a server is.
    init(_ call: Exchange) {
        let response = call.response.map {
            ServerLeg.Response(firstByteAt: $0.firstByteAt, status: $0.status, size: $0.size)
        }
        let end =
            call.end
            ?? ExchangeEnd(
                exchange: call.request.exchange, endedAt: call.request.startedAt, outcome: .abandoned,
                timings: ExchangeTimings())
        self.init(
            startedAt: call.request.startedAt, sentAt: call.request.sentAt, request: call.request.size,
            response: response, end: end)
    }

    /// The leg of a tunnel, which has no messages of the proxy's own.
    init(tunnel record: ConnectionRecord) {
        let closedAt = record.closedAt ?? record.openedAt
        // The lookup came before.
        let openedAt = Timestamp(nanoseconds: record.openedAt.nanoseconds - (record.opening?.dns ?? 0))
        var timings = ExchangeTimings(
            dns: record.opening?.dns, connect: record.opening?.connect, wait: record.opening?.firstByte)
        timings.close(over: closedAt.nanoseconds - openedAt.nanoseconds)
        var end = ExchangeEnd(
            exchange: .notKept, endedAt: closedAt, outcome: .completed,
            timings: timings, connection: record.connection, remoteAddress: record.remoteAddress)
        end.add(tunnelOf: record)
        self.init(startedAt: openedAt, request: .nothing, end: end)
    }
}

extension ExchangeEnd {
    /// Adds what went through a tunnel on that connection to the overhead.
    mutating func add(tunnelOf record: ConnectionRecord?) {
        guard let record, let up = record.payloadUp, let down = record.payloadDown else { return }
        var all = share ?? ConnectionShare()
        let messages = record.load.messages
        // Some of it is in the share already, if it came before the exchange had ended.
        all.overhead = ByteFlow(
            up: max(all.overhead.up, ByteCount(max(0, up.bytes - messages.up.bytes))),
            down: max(all.overhead.down, ByteCount(max(0, down.bytes - messages.down.bytes))))
        share = all
    }
}
