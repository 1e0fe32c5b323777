internal import HTTPWire
internal import TrafficModel

/// Finds the exchanges in the pieces of a connection of HTTP/1.
///
/// Responses come in the order of the requests (RFC 9112, section 9.3). The reader keeps one header section for each
/// direction, and a few figures of each exchange without an end. The scanner allows 256 of those, and the one whose
/// request is being sent.
struct HTTP1Reader {
    /// What the caller has to do after a piece.
    enum Outcome {
        case goesOn
        /// The connection is HTTP/2 from here on; the exchange's response comes on stream 1 (RFC 7540, section 3.2).
        case becomesHTTP2(HTTP1Exchange)
    }

    private var exchanges: [HTTP1Exchange] = []
    private var sections = (up: [UInt8](), down: [UInt8]())
    /// When the header section of the newest response began.
    private var headBeganAt = Timestamp(nanoseconds: 0)
    private var isClosed = (up: false, down: false)
    private(set) var bytes = ConnectionBytes()

    /// Adds a piece to its exchange, and reports the events that it causes.
    ///
    /// - Parameters:
    ///   - piece: the scanner's result for some bytes.
    ///   - content: those bytes, without the ones that were held back.
    ///   - direction: their direction.
    ///   - beganAt: when the first of them came.
    ///   - time: when the last of them came.
    ///   - upgrade: the protocol that a 101 has named by now.
    ///   - count: the number of exchanges that have begun.
    ///   - events: receives the new events.
    /// - Returns: whether the connection goes on as HTTP/1.
    mutating func take(
        _ piece: HTTP1Piece, _ content: ArraySlice<UInt8>, _ direction: Direction, beganAt: Timestamp,
        at time: Timestamp, upgrade: String, count: inout Int, into events: inout [ConnectionEvent]
    ) -> Outcome {
        if piece.undone > 0 { takeBack(ByteCount(piece.undone)) }
        let all = ByteCount(piece.count + piece.undone)
        switch piece.kind {
        case .head, .content, .framing:
            bytes.messages[direction] += all
            if direction == .up {
                takeRequest(piece, content, beganAt: beganAt, at: time, count: &count, into: &events)
            } else {
                return takeResponse(piece, content, beganAt: beganAt, at: time, upgrade: upgrade, into: &events)
            }
        case .upgraded: bytes.upgraded[direction] += all
        case .surplus:
            bytes.afterMessage[direction] += all
            breakOff(direction, at: time, into: &events)
        case .foreign:
            if bytes.foreign == .zero { events.append(.notHTTP) }
            drop()
            bytes.foreign[direction] += all
        case .http2: break
        }
        return .goesOn
    }

    // MARK: requests

    private mutating func takeRequest(
        _ piece: HTTP1Piece, _ content: ArraySlice<UInt8>, beganAt: Timestamp, at time: Timestamp,
        count: inout Int, into events: inout [ConnectionEvent]
    ) {
        if piece.begins {
            count += 1
            exchanges.append(HTTP1Exchange(number: count, startedAt: beganAt))
        }
        guard let last = exchanges.indices.last else { return }
        if piece.count > 0 { exchanges[last].request.lastByteAt = time }
        switch piece.kind {
        case .content: exchanges[last].request.add(content: content)
        case .framing: exchanges[last].request.add(framing: piece.count)
        default:
            sections.up += piece.lead
            sections.up += content
            if piece.endsHead || piece.isCut { announce(last, into: &events) }
        }
        if piece.ends || piece.isCut { finishRequest(last, isWhole: piece.ends, at: time, into: &events) }
    }

    private mutating func announce(_ index: Int, into events: inout [ConnectionEvent]) {
        guard !exchanges[index].isAnnounced else { return }
        let head = RequestHead(sections.up[...])
        sections.up = []
        exchanges[index].request.add(head.lines, cookies: "Cookie")
        exchanges[index].isAnnounced = true
        exchanges[index].isConnect = head.method == "CONNECT"
        // RFC 1945, section 5: a request of HTTP/0.9 is only its line.
        let isSimple = head.httpVersion.isEmpty && head.lines.startLineSize > 0 && head.lines.fieldsSize == 0
        events.append(
            .request(
                PassiveRequest(
                    exchange: exchanges[index].number, startedAt: exchanges[index].startedAt, method: head.method,
                    target: head.target, authority: head.lines.fields.firstValue(of: "Host") ?? "",
                    httpVersion: isSimple ? "0.9" : head.httpVersion, fields: head.lines.fields,
                    isWhole: head.lines.isComplete || isSimple)))
        if let early = exchanges[index].early {
            exchanges[index].early = nil
            events.append(.response(early))
        }
    }

    private mutating func finishRequest(
        _ index: Int, isWhole: Bool, at time: Timestamp, into events: inout [ConnectionEvent]
    ) {
        exchanges[index].request.isOver = true
        exchanges[index].request.isWhole = isWhole
        if exchanges[index].isAnswered || isClosed.down { finish(index, at: time, into: &events) }
    }

    // MARK: responses

    private mutating func takeResponse(
        _ piece: HTTP1Piece, _ content: ArraySlice<UInt8>, beganAt: Timestamp, at time: Timestamp, upgrade: String,
        into events: inout [ConnectionEvent]
    ) -> Outcome {
        guard let index = exchanges.firstIndex(where: { !$0.isAnswered }) else { return .goesOn }
        if exchanges[index].response == nil { exchanges[index].response = .init(lastByteAt: beganAt) }
        if piece.count > 0 { exchanges[index].response?.lastByteAt = time }
        if piece.begins { headBeganAt = beganAt }
        switch piece.kind {
        case .content:
            if !piece.lead.isEmpty { exchanges[index].response?.add(content: piece.lead[...]) }
            exchanges[index].response?.add(content: content)
            if piece.begins { respond(index, nil, isWhole: true, into: &events) }
        case .framing: exchanges[index].response?.add(framing: piece.count)
        default:
            sections.down += piece.lead
            sections.down += content
            if piece.endsHead || piece.isCut {
                if finishResponseHead(index, piece, upgrade: upgrade, into: &events) {
                    return .becomesHTTP2(exchanges.remove(at: index))
                }
            }
        }
        if piece.isRefused {
            exchanges[index].request.isOver = true
            exchanges[index].request.isWhole = true
        }
        if piece.ends || piece.isCut { finishResponse(index, isWhole: piece.ends, at: time, into: &events) }
        return .goesOn
    }

    /// - Returns: whether the exchange goes on as a stream of HTTP/2.
    private mutating func finishResponseHead(
        _ index: Int, _ piece: HTTP1Piece, upgrade: String, into events: inout [ConnectionEvent]
    ) -> Bool {
        let head = ResponseHeads.Head(sections.down[...])
        let size = sections.down.count
        sections.down = []
        // The scanner has found the length of the body by its own reading of the status, so use that one.
        let status = piece.endsHead ? piece.status : head.status
        if (100..<200).contains(status), status != 101 {
            exchanges[index].response?.add(interim: size)
            return false
        }
        if status == 101, upgrade.lowercased() == "h2c", exchanges[index].request.isOver {
            exchanges[index].response?.add(interim: size)
            return true
        }
        exchanges[index].response?.add(head.lines, cookies: "Set-Cookie")
        respond(index, head, status: status, isWhole: piece.endsHead, into: &events)
        let isTunnel = exchanges[index].isConnect && (200..<300).contains(status)
        if piece.endsHead, status == 101 || isTunnel {
            events.append(.upgrade(exchange: exchanges[index].number, protocolName: upgrade))
        }
        return false
    }

    /// Sends a response's event; a response without a header section is one of HTTP/0.9.
    private mutating func respond(
        _ index: Int, _ head: ResponseHeads.Head?, status: Int = 0, isWhole: Bool, into events: inout [ConnectionEvent]
    ) {
        let response = PassiveResponse(
            exchange: exchanges[index].number, firstByteAt: headBeganAt, status: status,
            reason: head?.reason ?? "", httpVersion: head.map(\.httpVersion) ?? "0.9",
            fields: head?.lines.fields ?? FieldSection(), isWhole: isWhole)
        if exchanges[index].isAnnounced {
            events.append(.response(response))
        } else {
            exchanges[index].early = response
        }
    }

    private mutating func finishResponse(
        _ index: Int, isWhole: Bool, at time: Timestamp, into events: inout [ConnectionEvent]
    ) {
        exchanges[index].response?.isOver = true
        exchanges[index].response?.isWhole = isWhole
        if exchanges[index].request.isOver { finish(index, at: time, into: &events) }
    }

    // MARK: ends

    private mutating func finish(_ index: Int, at time: Timestamp, into events: inout [ConnectionEvent]) {
        // The request's event is still missing if its line was not a request's and the server has responded all the
        // same.
        announce(index, into: &events)
        let exchange = exchanges.remove(at: index)
        let isWhole = exchange.request.isWhole && exchange.response?.isWhole == true
        events.append(.end(exchange.end(isWhole ? .completed : .closed, at: time)))
    }

    /// Ends the message being sent in that direction as cut, because message boundaries are not known any more.
    private mutating func breakOff(_ direction: Direction, at time: Timestamp, into events: inout [ConnectionEvent]) {
        if direction == .up, !sections.up.isEmpty, let last = exchanges.indices.last, !exchanges[last].request.isOver {
            announce(last, into: &events)
            finishRequest(last, isWhole: false, at: time, into: &events)
        } else if direction == .down, !sections.down.isEmpty,
            let index = exchanges.firstIndex(where: { !$0.isAnswered })
        {
            _ = finishResponseHead(index, HTTP1Piece(.head), upgrade: "", into: &events)
            finishResponse(index, isWhole: false, at: time, into: &events)
        }
    }

    /// Ends a direction that was closed: nothing more comes of the exchanges that wait for it.
    mutating func close(_ direction: Direction, at time: Timestamp, into events: inout [ConnectionEvent]) {
        breakOff(direction, at: time, into: &events)
        if direction == .up { isClosed.up = true } else { isClosed.down = true }
        var index = 0
        while index < exchanges.count {
            if isClosed.up { exchanges[index].request.isOver = true }
            if isClosed.down { exchanges[index].response?.isOver = true }
            let isOver = exchanges[index].isAnswered || (isClosed.down && exchanges[index].response == nil)
            if exchanges[index].request.isOver && isOver {
                finish(index, at: time, into: &events)
            } else {
                index += 1
            }
        }
    }

    /// Takes back bytes of a line that turned out not to be a request's.
    private mutating func takeBack(_ count: ByteCount) {
        sections.up = []
        bytes.messages.up = bytes.messages.up - count
        if let last = exchanges.last, last.response == nil, !last.isAnnounced { exchanges.removeLast() }
    }

    /// Counts everything that has passed as foreign, because none of it was a message.
    private mutating func drop() {
        bytes.foreign += bytes.messages
        bytes.messages = .zero
        exchanges = []
        sections = ([], [])
    }
}
