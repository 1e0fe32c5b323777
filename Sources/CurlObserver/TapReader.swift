internal import Clocks
package import ConnectionAccounts
internal import HTTPWire
package import Observing
package import TrafficModel

/// Turns the frames of one process into traffic events.
///
/// Used by one thread at a time.
package final class TapReader {
    private let output: ExchangeOutput
    let identifiers: IdentifierSource
    let wallOffset: () -> Int64
    // One thread at a time uses a reader, and no access is inside another one; checking that took a twentieth of its
    // time.

    @exclusivity(unchecked) var process: ProcessIdentity
    @exclusivity(unchecked) private var transfers: [UInt64: TapTransfer] = [:]
    /// The transfers with changes that were not sent yet.
    @exclusivity(unchecked) private var changed: [UInt64] = []
    /// The records of exchanges since the last call of ``sendEvents()``.
    @exclusivity(unchecked) private var queued: [Exchange] = []
    /// Whether ``queued`` is in the order of the requests.
    @exclusivity(unchecked) private var isInOrder = true
    /// The newest request's connection, with its peer as `address:port`: mostly that of the next one, too.
    @exclusivity(unchecked) private var newest = (
        ends: ConnectionEnds(localPort: 0, remotePort: 0, remoteAddress: ""), remote: ""
    )
    /// Splits URLs.
    @exclusivity(unchecked) private var targets = TargetParser()
    @exclusivity(unchecked) var connections: ConnectionTable
    @exclusivity(unchecked) var linker: AttemptLinker
    @exclusivity(unchecked) private var blocks: HeaderBlocks
    /// The lookups that the program makes itself.
    @exclusivity(unchecked) private var lookups = OwnLookups()

    private let hasInterfaces: Bool

    @exclusivity(unchecked) var exchangeCount = 0
    private var streamExchangeCount = 0
    /// Whether frames were lost.
    @exclusivity(unchecked) var hasLost = false
    /// The hello of the process; nil before it came.
    package private(set) var hello: TapFrame.Hello?

    /// A reader for one process.
    ///
    /// - Parameters:
    ///   - process: the process, if it is known before its hello.
    ///   - sink: receives the events.
    ///   - identifiers: numbers for exchanges and connections, shared by all readers of one store.
    ///   - memory: at most how many connections without traffic it remembers; half as many of other things.
    ///   - interfaces: finds the networks of connections; nil for the interfaces of this machine, if the process is in
    ///     the same network namespace.
    ///   - wallOffset: wall clock minus monotonic clock, in nanoseconds.
    package init(
        process: ProcessIdentity, sink: any TrafficSink, identifiers: IdentifierSource = IdentifierSource(),
        memory: Int = 8_192, interfaces: (any InterfaceLookup)? = nil, wallOffset: @escaping () -> Int64
    ) {
        connections = ConnectionTable(limit: memory, interfaces: interfaces ?? NoInterfaces())
        hasInterfaces = interfaces != nil
        linker = AttemptLinker(limit: memory / 2)
        blocks = HeaderBlocks(limit: memory / 8)
        self.process = process
        output = ExchangeOutput(sink)
        self.identifiers = identifiers
        self.wallOffset = wallOffset
    }

    /// The number of exchanges that have begun since the last call.
    package func takeNewExchangeCount() -> Int {
        defer { exchangeCount = 0 }
        return exchangeCount
    }

    /// The number of those that were seen below the program's HTTP library.
    package func takeNewStreamExchangeCount() -> Int {
        defer { streamExchangeCount = 0 }
        return streamExchangeCount
    }

    /// Takes whole frames, and sends the events that they cause.
    ///
    /// - Throws: an error if the bytes are not frames; all frames before the bad one were taken.
    package func take(_ bytes: UnsafeRawBufferPointer) throws(MalformedFrame) {
        defer { sendEvents() }
        try takeFrames(bytes)
    }

    /// Takes whole frames; ``sendEvents()`` sends the events later.
    package func takeFrames(_ bytes: UnsafeRawBufferPointer) throws(MalformedFrame) {
        var frames = TapFrameReader(bytes)
        while let (transfer, time, frame) = try frames.next() { take(frame, of: transfer, at: time) }
    }

    /// Ends everything that runs, because the process is gone or metering stops.
    ///
    /// If parts were lost, it is not known whether an exchange still ran or whether its end was lost: it ends as
    /// incomplete.
    ///
    /// - Parameters:
    ///   - time: the moment; monotonic nanoseconds.
    ///   - isCut: whether the process may have left something unreported.
    package func finish(at time: UInt64, isCut: Bool = false) {
        let outcome: ExchangeEnd.Outcome = isCut || hasLost ? .incomplete : .abandoned
        for number in transfers.keys.sorted() {
            guard let transfer = transfers[number], transfer.current != nil else { continue }
            finishCurrent(of: transfer, at: time, outcome: outcome)
        }
        transfers = [:]
        changed = []
        connections.settleUnknown()
        record(lookups.endAll(at: time))
        sendEvents()
    }

    // MARK: frames

    private func take(_ frame: TapFrame, of number: UInt64, at time: UInt64) {
        switch frame {
        case .hello(let hello):
            // The first hello wins.
            guard self.hello == nil else { return }
            self.hello = hello
            let name = hello.path.split(separator: "/").last.map(String.init) ?? process.name
            process = ProcessIdentity(pid: hello.pid, name: name)
            #if os(Linux)
                if !hasInterfaces, LocalInterfaces.namespace == hello.networkNamespace {
                    connections.interfaces = LocalInterfaces()
                }
            #endif
        case .begin(let handle): begin(number, handle: handle, .called, at: time)
        case .beginStream(let handle, let direction):
            streamExchangeCount += 1
            begin(number, handle: handle, direction, at: time)
        case .lost(let count, let isUntapped):
            output.sink.record(.loss(TrafficLoss(reason: isUntapped ? .untapped : .bufferFull, count: count)))
            if !isUntapped { hasLost = true }
            // The frame of this transfer's end will not come.
            if let transfer = transfers.removeValue(forKey: number), transfer.current != nil {
                finishCurrent(of: transfer, at: time, outcome: .incomplete)
            }
        case .http2(let frames, let sequence):
            follow(frames.session, sequence: sequence)
            connections.add(frames)
        case .block(let block):
            follow(block.session, sequence: block.sequence)
            let fields = blocks.add(block)
            guard block.kind == .headers, block.ends, let transfer = transfers[number] else { return }
            take(fields, isDown: block.isDown, of: transfer, at: time)
            noteChange(of: transfer, number)
        case .socketClosed(let socket):
            connections.close(
                socket, at: Timestamp(monotonic: time, wallOffset: wallOffset()), monotonic: time)
        case .socketLeft(let socket): connections.leave(socket)
        case .unseen(let unseen):
            let offset = wallOffset()
            connections.add(
                unseen, process: process, openedAt: Timestamp(monotonic: unseen.openedMonotonic, wallOffset: offset),
                closedAt: unseen.isOpen ? nil : Timestamp(monotonic: time, wallOffset: offset),
                next: identifiers.nextConnection)
        case .lookup(let lookup): take(lookup, at: time)
        case .dns(let dns): take(dns, at: time)
        default:
            // If the first frame of a transfer was lost, its other frames cannot be assigned.
            guard let transfer = transfers[number] else { return }
            take(frame, of: transfer, number: number, at: time)
        }
    }

    // MARK: lookups of names

    private func take(_ lookup: TapFrame.Lookup, at time: UInt64) {
        record([
            LookupRecord(
                process: process, name: Self.withoutDot(lookup.name), source: .libc,
                startedAt: Timestamp(monotonic: lookup.beganAt, wallOffset: wallOffset()),
                duration: time > lookup.beganAt ? Int64(clamping: time - lookup.beganAt) : 0, error: lookup.error,
                answers: lookup.answers, addresses: lookup.addresses)
        ])
    }

    /// A name that says that it is whole is the same name.
    private static func withoutDot(_ name: String) -> String {
        name.hasSuffix(".") && name.utf8.count > 1 ? String(name.dropLast()) : name
    }

    private func take(_ dns: TapFrame.DNS, at time: UInt64) {
        let passed = OwnLookups.Passage(
            socket: dns.socket, resolver: dns.resolver, size: dns.size, bytes: dns.bytes,
            monotonic: time)
        switch dns.what {
        case .sent:
            let now = Timestamp(monotonic: time, wallOffset: wallOffset())
            record(lookups.send(passed, process: process, at: now))
        case .received: record(lookups.receive(passed).map { [$0] } ?? [])
        case .failed(let errno): record(lookups.end(passed.socket, at: time, DNSNames.socketError(errno)))
        case .over: record(lookups.end(passed.socket, at: time))
        }
    }

    private func record(_ lookups: [LookupRecord]) {
        for lookup in lookups { output.sink.record(.lookup(lookup)) }
    }

    private func begin(_ number: UInt64, handle: UInt64, _ direction: TrafficDirection, at time: UInt64) {
        if let old = transfers[number], old.current != nil { finishCurrent(of: old, at: time, outcome: .abandoned) }
        transfers[number] = TapTransfer(handle: handle, direction: direction, beganAt: time)
    }

    private func take(_ frame: TapFrame, of transfer: TapTransfer, number: UInt64, at time: UInt64) {
        switch frame {
        case .request(let request): begin(request, of: transfer, at: time)
        case .connection(let connection):
            let share = connections.describe(connection)
            // After a CONNECT the connection is not new, but TLS on it is.
            if let current = transfer.current, let share { current.earlyShare = share }
        case .stream(let stream): carry(transfer, over: stream)
        case .headOut(let bytes): transfer.current?.sent(bytes)
        case .headIn(let bytes): transfer.current?.received(bytes, at: time)
        case .bodyOut(let body): transfer.current?.bodyOut = body
        case .bodyIn(let body): transfer.current?.bodyIn = body
        case .contentOut(let bytes): transfer.current?.contentOut += bytes
        case .contentIn(let bytes): transfer.current?.contentIn += bytes
        case .foreign:
            leaveHTTP(transfer, at: time)
            return
        case .end(let end):
            transfers[number] = nil
            finish(transfer, with: end, at: time)
            return
        default: return
        }
        noteChange(of: transfer, number)
    }

    private func noteChange(of transfer: TapTransfer, _ number: UInt64) {
        if transfer.hasChanged { return }
        transfer.hasChanged = true
        changed.append(number)
    }

    // MARK: HTTP/2 below HTTP libraries

    private func follow(_ session: UInt64, sequence: UInt64) {
        if blocks.follow(session, sequence: sequence) { return }
        connections.add(HTTP2Frames(session: session, isBroken: true, parts: []))
    }

    /// Takes the fields of a header section; nil if they cannot be decoded.
    private func take(_ fields: HTTP2Fields?, isDown: Bool, of transfer: TapTransfer, at time: UInt64) {
        guard let exchange = transfer.current else { return }
        if isDown {
            exchange.received(fields, at: time)
        } else {
            exchange.sent(fields, to: fields?.originURL.flatMap { targets.target($0) })
        }
    }

    private func begin(_ request: TapFrame.Request, of transfer: TapTransfer, at time: UInt64) {
        // The URL may be of any scheme, because the request may go to a proxy.
        guard let target = targets.target(request.url) else {
            transfer.isForeign = true
            return
        }
        transfer.isForeign = false
        let isNew = request.connects > transfer.connectsBefore
        var beganAt = transfer.attempts == 0 ? transfer.beganAt : time
        var isBehindConnect = false
        if let current = transfer.current {
            current.countedHeads = request.headerSize - transfer.headsBefore
            isBehindConnect = !isNew && target.isSecure && current.headOut.starts(with: "CONNECT ".utf8)
            beganAt = finishAttempt(of: transfer, at: time, before: request, isNew: isNew)
        }
        transfer.headsBefore = request.headerSize
        let exchange = ObservedExchange(
            id: identifiers.nextExchange(), process: process, direction: transfer.direction,
            wallOffset: wallOffset(), beganAt: beganAt)
        exchange.isBehindConnect = isBehindConnect
        if let previous = transfer.previous {
            exchange.task = previous.task
            exchange.attempt = previous.attempt + 1
        }
        exchange.sentAt = time
        exchange.request = request
        exchange.target = target
        if let received = ResponseEvidence.received(request.kernel, request.plaintext, isSecure: target.isSecure) {
            connections.overtake(request.ends, received: received)
        }
        exchange.connection = connections.use(
            request.ends, by: exchange.id, isNew: isNew, isSecure: target.isSecure, process: process,
            direction: transfer.direction, at: exchange.timestamp(time), next: identifiers.nextConnection)
        exchange.reusedConnection = !isNew
        if request.ends != newest.ends { newest = (request.ends, request.ends.remote) }
        exchange.remoteAddress = newest.remote
        transfer.connectsBefore = request.connects
        transfer.before = transfer.times
        transfer.times = request.times
        transfer.attempts += 1
        exchangeCount += 1
        transfer.current = exchange
        if let stream = transfer.nextStream {
            transfer.nextStream = nil
            exchange.stream = stream
            connections.claim(stream, for: exchange.transport)
        }
    }

    /// Assigns a stream to a request.
    ///
    /// libcurl passes a request to HTTP/2 before it shows the headers, or after it, if the connection became HTTP/2
    /// because of that request.
    private func carry(_ transfer: TapTransfer, over stream: HTTP2StreamID) {
        if let current = transfer.current, current.stream == nil, let head = current.requestHead,
            // The first stream inside a tunnel does not belong to its CONNECT.
            stream.number == 1 && head.method != "CONNECT" || head.httpVersion.hasPrefix("2")
        {
            current.stream = stream
            connections.claim(stream, for: current.transport)
        } else {
            transfer.nextStream = stream
        }
    }

    // MARK: what runs

    /// Keeps the records of an exchange until all frames that came together are read.
    func queue(_ request: consuming RequestRecord, _ response: consuming ResponseRecord?, _ end: consuming ExchangeEnd?)
    {
        if let last = queued.last?.request.exchange, last.rawValue > request.exchange.rawValue { isInOrder = false }
        queued.append(Exchange(request: request, response: response, end: end))
    }

    /// Sends the changes of exchanges and connections, in the order in which the requests were sent.
    package func sendEvents() {
        for number in changed {
            guard let transfer = transfers[number], transfer.hasChanged else { continue }
            transfer.hasChanged = false
            guard let exchange = transfer.current else { continue }
            guard !exchange.headOut.isEmpty else { continue }
            let head = exchange.requestHead
            link(exchange, head, of: transfer)
            exchange.carried = connections.carried(exchange.stream)
            let heads = exchange.responseHeads
            // HTTP/2 frames alone are no response yet: if parts are lost, it is not known which stream they belonged
            // to.
            let isShown = heads.byteCount > 0 || exchange.bodyIn != nil
            queue(
                exchange.requestRecord(head), isShown ? exchange.responseRecord(heads, to: head) : nil, nil)
        }
        changed.removeAll(keepingCapacity: true)
        if !isInOrder { queued.sort { $0.request.exchange.rawValue < $1.request.exchange.rawValue } }
        isInOrder = true
        for index in queued.indices {
            if queued[index].end != nil {
                output.record(&queued[index])
            } else {
                queued[index].forEachEvent(output.sink.record)
            }
        }
        queued.removeAll(keepingCapacity: true)
        for record in connections.takeChanges() { output.sink.record(.connection(record)) }
    }
}

/// Splits URLs, and remembers where they lead: a program's URLs have few different schemes, hosts and ports.
private struct TargetParser {
    private static let most = 8

    private var origins: [RequestTarget.Origin] = []
    private var next = 0

    /// The parts of an absolute URL; nil if it is none.
    mutating func target(_ url: String) -> RequestTarget? {
        for origin in origins {
            if let target = RequestTarget(url: url, from: origin) { return target }
        }
        guard let target = RequestTarget(url: url) else { return nil }
        if let origin = RequestTarget.Origin(url, target) {
            if origins.count < Self.most { origins.append(origin) } else { origins[next] = origin }
            next = (next + 1) % Self.most
        }
        return target
    }
}

extension RequestTarget {
    /// Whether libcurl speaks HTTP for it, proxies aside.
    var isHTTP: Bool { ["http", "https", "ws", "wss"].contains(scheme) }

    /// Whether its scheme requires TLS.
    var isSecure: Bool { scheme == "https" || scheme == "wss" }
}
