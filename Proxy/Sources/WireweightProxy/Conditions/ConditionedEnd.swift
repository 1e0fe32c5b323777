import NIOCore
import ProxyWire

/// The device's end under the conditions of a network: what comes and goes is held until it would have arrived.
///
/// It is next to the socket, but where TLS is opened, next to the session: there the meter sees when messages come and
/// go. The system answers a connection's own handshake, and what opens TLS that of TLS; their round trips are added to
/// the first bytes of the device.
final class ConditionedEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Arrival {
        case bytes(ByteBuffer)
        case end
    }

    private enum Departure {
        case bytes(ByteBuffer, EventLoopPromise<Void>?)
        case close(CloseMode, EventLoopPromise<Void>?)
    }

    private let roundTrip: Int64
    private var up: ConditionedLink
    private var down: ConditionedLink
    private var arrivals = CircularBuffer<(due: Int64, what: Arrival)>()
    private var departures = CircularBuffer<(due: Int64, what: Departure)>()
    private var bytesUp = 0
    private var bytesDown = 0
    /// Whether the session has asked for more.
    private var isWanted = false
    private var isReading = false
    private var hasEnded = false
    private var arrivalTimer: Scheduled<Void>?
    private var departureTimer: Scheduled<Void>?
    /// Another end holds what comes and goes.
    private var isPassing = false
    /// When this end took over from another one.
    private var begin: Int64 = 0

    init(_ conditions: LinkConditions) {
        roundTrip = Int64(conditions.roundTrip) * 1_000_000
        up = ConditionedLink(conditions, isDown: false)
        down = ConditionedLink(conditions, isDown: true)
    }

    private init(after other: ConditionedEnd) {
        roundTrip = other.roundTrip
        up = other.up
        down = other.down
        begin = other.now
        // It comes into a connection that is read from.
        isWanted = true
        isReading = true
    }

    /// The end that holds what comes and goes from now on: for inside TLS, whose first bytes of the device have come.
    ///
    /// What is on its way arrives as it would have; then this one passes everything on at once.
    func handOver() -> ConditionedEnd {
        isPassing = true
        return ConditionedEnd(after: self)
    }

    /// Takes note of the end of the handshake of TLS, whose first bytes have come half a round trip late already.
    func handshakeIsOver(roundTrips: Int) { up.wait(until: begin + Int64(roundTrips) * roundTrip - roundTrip / 2) }

    /// Whether so much is on its way to the device that no more should come.
    var isFull: Bool { bytesDown >= down.most }

    private var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }

    func channelActive(context: ChannelHandlerContext) {
        up.wait(until: now + roundTrip)
        context.fireChannelActive()
    }

    // MARK: from the device

    func read(context: ChannelHandlerContext) {
        if isPassing, arrivals.isEmpty { return context.read() }
        isWanted = true
        deliver(context)
        take(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isPassing, arrivals.isEmpty { return context.fireChannelRead(data) }
        var buffer = unwrapInboundIn(data)
        bytesUp += buffer.readableBytes
        if isPassing, let last = arrivals.last { return arrivals.append((last.due, .bytes(buffer))) }
        while let piece = buffer.readSlice(length: min(up.piece, buffer.readableBytes)), piece.readableBytes > 0 {
            let due = up.arrival(of: piece.readableBytes, at: now, chance: .random(in: 0..<1))
            arrivals.append((due, .bytes(piece)))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if isPassing, arrivals.isEmpty { return context.fireChannelReadComplete() }
        deliver(context)
        take(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let end = event as? ChannelEvent, end == .inputClosed, !isPassing || !arrivals.isEmpty else {
            return context.fireUserInboundEventTriggered(event)
        }
        hasEnded = true
        arrivals.append((up.arrival(of: 0, at: now, chance: 0), .end))
        deliver(context)
    }

    /// Takes more from the system, as far as the network has room.
    private func take(_ context: ChannelHandlerContext) {
        guard !isReading, !hasEnded, bytesUp < up.most else { return }
        isReading = true
        context.read()
    }

    private func deliver(_ context: ChannelHandlerContext) {
        guard isWanted, let first = arrivals.first else { return }
        guard first.due <= now else { return wake(context, at: first.due) }
        isWanted = false
        var hasBytes = false
        while let next = arrivals.first, next.due <= now {
            arrivals.removeFirst()
            switch next.what {
            case .bytes(let buffer):
                hasBytes = true
                bytesUp -= buffer.readableBytes
                context.fireChannelRead(wrapInboundOut(buffer))
            case .end:
                if hasBytes { context.fireChannelReadComplete() }
                return context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        }
        context.fireChannelReadComplete()
        take(context)
    }

    private func wake(_ context: ChannelHandlerContext, at due: Int64) {
        guard arrivalTimer == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        arrivalTimer = context.eventLoop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(due))) {
            let (end, context) = bound.value
            end.arrivalTimer = nil
            end.deliver(context)
        }
    }

    // MARK: to the device

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isPassing, departures.isEmpty { return context.write(data, promise: promise) }
        var buffer = unwrapOutboundIn(data)
        bytesDown += buffer.readableBytes
        if isPassing, let last = departures.last { return departures.append((last.due, .bytes(buffer, promise))) }
        repeat {
            let count = min(down.piece, buffer.readableBytes)
            let piece = buffer.readSlice(length: count) ?? ByteBuffer()
            let due = down.arrival(of: count, at: now, chance: .random(in: 0..<1))
            departures.append((due, .bytes(piece, buffer.readableBytes == 0 ? promise : nil)))
        } while buffer.readableBytes > 0
        leave(context)
    }

    /// What is due goes out at once.
    func flush(context: ChannelHandlerContext) { if isPassing, departures.isEmpty { context.flush() } }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, !departures.isEmpty else { return context.close(mode: mode, promise: promise) }
        departures.append((down.arrival(of: 0, at: now, chance: 0), .close(mode, promise)))
    }

    private func leave(_ context: ChannelHandlerContext) {
        guard departureTimer == nil, let first = departures.first else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        departureTimer = context.eventLoop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, first.due)))) {
            let (end, context) = bound.value
            end.departureTimer = nil
            end.release(context)
        }
    }

    private func release(_ context: ChannelHandlerContext) {
        let wasFull = isFull
        while let next = departures.first, next.due <= now {
            departures.removeFirst()
            switch next.what {
            case .bytes(let buffer, let promise):
                bytesDown -= buffer.readableBytes
                context.write(wrapOutboundOut(buffer), promise: promise)
            case .close(let mode, let promise):
                context.flush()
                context.close(mode: mode, promise: promise)
            }
        }
        context.flush()
        leave(context)
        if wasFull, !isFull { context.fireChannelWritabilityChanged() }
    }

    // MARK: the end

    func channelInactive(context: ChannelHandlerContext) {
        drop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { drop() }

    /// The connection is gone, and with it what was on its way.
    private func drop() {
        arrivalTimer?.cancel()
        departureTimer?.cancel()
        arrivals.removeAll()
        let left = departures
        departures.removeAll()
        (bytesUp, bytesDown) = (0, 0)
        for (_, what) in left {
            switch what {
            case .bytes(_, let promise): promise?.fail(ChannelError.ioOnClosedChannel)
            case .close(_, let promise): promise?.succeed()
            }
        }
    }
}
