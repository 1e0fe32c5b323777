internal import Clocks
internal import ConnectionAccounts
internal import HTTPWire
internal import TrafficModel

/// What is known so far of one request and its response, and the records that it makes.
final class ObservedExchange {
    let id: ExchangeID
    @exclusivity(unchecked) var task: ExchangeID
    var attempt: Int
    let process: ProcessIdentity
    let direction: TrafficDirection
    /// Wall clock minus monotonic clock at its start, in nanoseconds.
    ///
    /// Kept, so that a jump of the wall clock in between changes no duration.
    let wallOffset: Int64
    /// When the attempt began; monotonic nanoseconds, as all times here.
    var beganAt: UInt64
    /// When its first byte was sent; nil before that.
    var sentAt: UInt64?
    @exclusivity(unchecked) var request: TapFrame.Request?
    @exclusivity(unchecked) var target: RequestTarget?

    /// The bytes of the request's start line and headers so far.
    @exclusivity(unchecked) private(set) var headOut: [UInt8] = []
    /// The bytes of the responses' status lines and headers so far.
    @exclusivity(unchecked) private var headIn: [UInt8] = []
    @exclusivity(unchecked) private var parsedOut: RequestHead?
    @exclusivity(unchecked) private var parsedIn: ResponseHeads?
    /// When the newest response's status line came.
    @exclusivity(unchecked) private(set) var headInAt: UInt64?
    /// The method that the request would have had, if nothing of it was sent.
    var intendedMethod = ""
    @exclusivity(unchecked) var bodyOut: TapFrame.Body?
    @exclusivity(unchecked) var bodyIn: TapFrame.Body?
    /// Whether records include the kept content of bodies.
    ///
    /// Only the last records do, so that a large body is not copied again and again.
    var includesContent = false
    @exclusivity(unchecked) var contentOut: [UInt8] = []
    @exclusivity(unchecked) var contentIn: [UInt8] = []
    /// Bytes of status lines and headers that libcurl has counted for this exchange; nil while it runs.
    var countedHeads: Int64?
    /// Whether all of the response has come.
    var isWhole = false

    @exclusivity(unchecked) var connection: ConnectionID?
    var reusedConnection = false
    var remoteAddress = ""
    /// Whether the previous request of its transfer was the CONNECT that opened its tunnel.
    var isBehindConnect = false
    /// The overhead that the connection had carried when the request was sent, if this exchange opened the connection.
    @exclusivity(unchecked) var earlyShare: ConnectionShare?

    /// The stream that carries it; nil if it is not HTTP/2, or if its frames cannot be seen.
    @exclusivity(unchecked) var stream: HTTP2StreamID?
    /// Whether fields of the request, or of the response, could not be decoded.
    private var lacksRequestFields = false
    private var lacksResponseFields = false
    /// The bytes of cookies among the compressed fields, if the blocks were decoded.
    @exclusivity(unchecked) private var cookies: (request: Int?, response: Int?)
    /// The bytes that the stream has carried; set before records are made.
    @exclusivity(unchecked) var carried: HTTP2Stream?

    /// Whether libcurl gave up because of the status, as the program had requested (CURLOPT_FAILONERROR), after all
    /// fields.
    var isRefusedByStatus = false
    /// Whether libcurl gave up within the headers because of their content.
    ///
    /// It then shows nothing more of the bytes that it has read, which may be fields or content.
    var isRefusedByField = false
    /// Whether libcurl gave up at a line of the response's headers that it rejects as invalid.
    var isRefusedAtLine = false

    init(
        id: ExchangeID, process: ProcessIdentity, direction: TrafficDirection = .called, wallOffset: Int64,
        beganAt: UInt64
    ) {
        self.id = id
        self.task = id
        self.attempt = 0
        self.process = process
        self.direction = direction
        self.wallOffset = wallOffset
        self.beganAt = beganAt
    }

    func timestamp(_ monotonic: UInt64) -> Timestamp {
        Timestamp(monotonic: monotonic, wallOffset: wallOffset)
    }

    /// What carries it, as its connection's account knows it.
    var transport: ExchangeTransport {
        ExchangeTransport(exchange: id, connection: connection, ends: request?.ends, stream: stream)
    }

    /// Takes bytes of the request's start line and headers.
    func sent(_ bytes: [UInt8]) {
        if headOut.isEmpty { headOut = bytes } else { headOut += bytes }
        parsedOut = nil
    }

    /// Takes bytes of status lines and headers of its responses, which came at that moment.
    func received(_ bytes: [UInt8], at time: UInt64) {
        if bytes.starts(with: "HTTP/".utf8) { headInAt = time }
        if headIn.isEmpty { headIn = bytes } else { headIn += bytes }
        parsedIn = nil
    }

    /// Whether it was seen as frames of HTTP/2 below the program's HTTP library, where fields may be unknown.
    var isOfFrames: Bool { (stream?.session ?? 0) >= 1 << 62 }

    /// Takes a header section of the request from HTTP/2: its headers, then its trailers.
    ///
    /// - Parameters:
    ///   - fields: nil if they cannot be decoded.
    ///   - origin: the target with an empty path, if the fields name it.
    func sent(_ fields: HTTP2Fields?, to origin: RequestTarget?) {
        guard headOut.isEmpty, !lacksRequestFields else { return }
        guard let fields else {
            lacksRequestFields = true
            target?.path = ""
            target?.query = nil
            return
        }
        if var origin {
            if !fields.namesPort, let port = target?.port { origin.port = port }
            target = origin
        }
        cookies.request = fields.cookies
        sent(fields.requestText)
    }

    /// Whether the stream's own final response has come: a 101 comes before it, in HTTP/1.1.
    private var hasResponseOfFrames: Bool { responseHeads.final.map { $0.status != 101 } ?? false }

    /// Takes a header section of the response from HTTP/2: of interim responses, its headers, then its trailers.
    func received(_ fields: HTTP2Fields?, at time: UInt64) {
        guard let fields, !lacksResponseFields else {
            if !hasResponseOfFrames {
                lacksResponseFields = true
                headInAt = headInAt ?? time
            }
            return
        }
        let isTrailers = hasResponseOfFrames
        if !isTrailers { cookies.response = fields.cookies }
        received(isTrailers ? fields.lines.bytes + [0x0D, 0x0A] : fields.responseText, at: time)
    }

    /// The start line and headers of the request, parsed once for the same bytes; nil if none were sent.
    var requestHead: RequestHead? {
        if parsedOut == nil, !headOut.isEmpty { parsedOut = RequestHead(headOut[...]) }
        return parsedOut
    }

    /// Whether the request is a CONNECT.
    var isConnect: Bool {
        if let parsedOut { return parsedOut.method == "CONNECT" }
        return requestHead?.method == "CONNECT"
    }

    /// The status lines and headers of the responses, parsed once for the same bytes.
    var responseHeads: ResponseHeads {
        if let parsedIn { return parsedIn }
        let parsed = ResponseHeads(headIn)
        parsedIn = parsed
        return parsed
    }

    // MARK: records

    /// The record of the request.
    ///
    /// - Parameter head: ``requestHead``.
    /// - Returns: the record of what has been sent so far.
    func requestRecord(_ head: RequestHead?) -> RequestRecord {
        var target = target
        if let head { target?.take(requestLineTarget: head.target, of: head.method) }
        var size = head?.size ?? .nothing
        let isBinary = head?.httpVersion.isBinaryHTTP ?? isOfFrames
        let body = bodyOut?.metered.read(
            as: head.map { .ofRequest($0.lines.common, isHTTP2: isBinary) } ?? .untilClose)
        size.body = .captured(body?.content ?? 0)
        size.framing = .captured(body?.framing ?? 0)
        if let carried, isBinary, !carried.up.sections.isEmpty {
            size = carried.up.size(cookieShare: Self.cookieShare(size))
            if let cookies = cookies.request { size.cookies = .captured(Int64(cookies)) }
        } else if isBinary {
            size.framing = Self.estimatedFrames(body: body?.content ?? 0)
        } else if let carried {
            // The request was sent in HTTP/1.1, and then became a stream (RFC 7540, section 3.2). Its frames can only
            // follow.
            size.framing = .init(size.framing.bytes + carried.up.bytes, .captured)
        }
        if isOfFrames, head == nil { size.cookies = .unknown }
        return RequestRecord(
            exchange: id, task: task, resendCount: attempt, process: process, startedAt: timestamp(beganAt),
            sentAt: sentAt.map { timestamp(max(beganAt, $0)) }, method: head?.method ?? intendedMethod,
            scheme: target?.scheme ?? "", host: target?.host ?? "", port: target?.port ?? 0, path: target?.path ?? "",
            query: target?.query,
            httpVersion: head?.httpVersion ?? (isOfFrames ? "2" : ""), fields: head?.lines.fields ?? FieldSection(),
            size: size,
            bodyDigest: body?.digest,
            capturedBody: includesContent
                ? Self.kept(contentOut, isChunked: !isBinary && head?.lines.common.namesChunked == true) : nil,
            direction: direction)
    }

    /// The record of the response; nil until something of a response has come.
    ///
    /// - Parameters:
    ///   - heads: ``responseHeads``.
    ///   - requestHead: the start line and headers of its request.
    /// - Returns: the record of what has come so far.
    func responseRecord(_ heads: ResponseHeads, to requestHead: RequestHead?) -> ResponseRecord? {
        let method = requestHead?.method ?? ""
        guard let head = heads.final else {
            let hasCome = heads.byteCount > 0 || bodyIn != nil || (carried?.down.bytes ?? 0) > 0
            return hasCome ? headless(heads) : nil
        }
        let isBinary = head.httpVersion.isBinaryHTTP
        let length = BodyLength.ofResponse(
            status: head.status, to: method, head.lines.common, isHTTP2: isBinary)
        let body = bodyIn?.metered.read(as: length)
        var size = heads.size(missing: countedHeads.map { Int($0) - heads.byteCount })
        size.body = .captured(body?.content ?? 0)
        size.framing = .captured((body?.framing ?? 0) + Int64(heads.trailerSize))
        let hidesFraming = hidesFraming(heads, to: requestHead)
        if hidesFraming { size.framing = .unknown }
        if let carried, isBinary, !carried.down.sections.isEmpty {
            size = Self.size(carried.down, heads, cookieShare: Self.cookieShare(size))
            if let cookies = cookies.response { size.cookies = .captured(Int64(cookies)) }
        } else if isBinary {
            size.framing = Self.estimatedFrames(body: body?.content ?? 0)
        } else if let carried {
            // The stream was given up before libcurl showed its headers, after the 101 that began it.
            size.body = .init(carried.down.content, .captured)
            size.framing = .init(ByteCount(carried.down.bytes.bytes - carried.down.content.bytes), .captured)
            if !head.lines.isComplete { size.fields = .init(size.fields.bytes + 2, .reconstructed) }
        }
        let coding = head.lines.contentCoding
        return ResponseRecord(
            exchange: id, firstByteAt: timestamp(headInAt ?? beganAt), status: head.status, reason: head.reason,
            httpVersion: head.httpVersion, fields: head.lines.fields, size: size,
            decodedBody: Self.decodedSize(body, coding: coding, isWhole: isWhole),
            contentType: head.lines.mediaType,
            contentEncoding: coding == "identity" ? "" : coding, bodyDigest: body?.digest,
            capturedBody: includesContent
                ? Self.kept(contentIn, isChunked: length == .chunked && !hidesFraming) : nil)
    }

    /// The record of bytes without a final response: only interim responses, or something that is not HTTP/1.1, such as
    /// the bare content of version 0.9.
    ///
    /// The bytes still count.
    private func headless(_ heads: ResponseHeads) -> ResponseRecord {
        var size = heads.size(missing: countedHeads.map { Int($0) - heads.byteCount })
        size.framing = .captured(heads.trailerSize)
        size.body = .captured(bodyIn?.metered.bytes ?? 0)
        if let carried, carried.down.bytes > 0 { size = Self.size(carried.down, heads, cookieShare: 0) }
        if lacksResponseFields {
            size.cookies = .unknown
            // The first sections may be of interim responses.
            if carried.map({ $0.down.sections.count > 1 }) ?? true {
                size.interim.evidence = .reconstructed
                size.fields.evidence = .reconstructed
                size.framing.evidence = .reconstructed
            }
        }
        // If libcurl accepts content without headers as a response, it is one of HTTP/0.9.
        let isBare = isWhole && heads.byteCount == 0 && bodyIn != nil && carried == nil
        return ResponseRecord(
            exchange: id, firstByteAt: timestamp(headInAt ?? bodyIn?.first ?? beganAt), status: 0, reason: "",
            httpVersion: isBare ? "0.9" : lacksResponseFields ? "2" : "", fields: FieldSection(), size: size)
    }

    /// The request without the bytes that the kernel never sent.
    ///
    /// They are its last ones, so the body loses bytes first.
    func requestRecord(_ head: RequestHead?, without unsent: Int64) -> RequestRecord {
        var request = requestRecord(head)
        request.size.withdraw(unsent)
        return request
    }

    /// The response with the bytes that the kernel has counted and libcurl has not shown; they follow those that it has
    /// shown.
    func responseRecord(_ heads: ResponseHeads, to requestHead: RequestHead?, with unseen: Int64) -> ResponseRecord? {
        let shown = responseRecord(heads, to: requestHead)
        guard unseen > 0 else { return shown }
        var response =
            shown
            ?? ResponseRecord(
                exchange: id, firstByteAt: timestamp(headInAt ?? beganAt), status: 0, reason: "", httpVersion: "",
                fields: FieldSection(), size: .nothing)
        response.decodedBody = .unknown
        func add(_ bytes: Int64, to part: inout WireSize.Part) {
            part = .init(part.bytes + ByteCount(bytes), min(part.evidence, .reported))
        }
        switch heads.final?.lines.isComplete {
        case nil:
            add(unseen, to: &response.size.startLine)
            if isRefusedAtLine { response.size.startLine.evidence = .reconstructed }
        case false? where isRefusedByStatus:
            // libcurl has shown all lines. The empty line is missing, and the part of the body that libcurl had read.
            add(min(2, unseen), to: &response.size.fields)
            if unseen > 2 { add(unseen - 2, to: &response.size.body) }
        case false? where isRefusedByField:
            // The end of the headers is not known.
            add(min(2, unseen), to: &response.size.fields)
            add(max(0, unseen - 2), to: &response.size.body)
            response.size.fields.evidence = .reconstructed
            response.size.body.evidence = .reconstructed
        case false? where isRefusedAtLine:
            // The refused line comes first, and was not shown. The end of the headers is not known.
            add(unseen, to: &response.size.fields)
            response.size.fields.evidence = .reconstructed
            response.size.body.evidence = .reconstructed
        case false?: add(unseen, to: &response.size.fields)
        case true? where hidesFraming(heads, to: requestHead):
            // Before the last chunk, libcurl may have read content that it did not show.
            let evidence: Evidence = isWhole ? .reported : .reconstructed
            response.size.framing = .init(ByteCount(unseen), evidence)
            if !isWhole { response.size.body.evidence = .reconstructed }
        case true?:
            add(unseen, to: &response.size.body)
            if let head = heads.final, length(of: head, to: requestHead) == .chunked, bodyIn == nil {
                // The chunks were not seen, so how many of the bytes are framing is not known.
                response.size.body.evidence = .reconstructed
                response.size.framing.evidence = .reconstructed
            }
        }
        return response
    }

    /// Says what is not known of a response where libcurl gave up at its headers and nothing counts what it had read
    /// and not shown.
    ///
    /// With the headers it may have read a part of the body, or all of it.
    func admitUnseenBody(of response: inout ResponseRecord, _ heads: ResponseHeads, to requestHead: RequestHead?) {
        // If there are frames, they show the bytes of the body.
        guard bodyIn == nil, carried == nil, let head = heads.final, !head.lines.isComplete else { return }
        if isRefusedByStatus {
            // All lines were shown. The empty one was not, but libcurl gives up only once it has read that.
            if !head.httpVersion.isBinaryHTTP {
                response.size.fields = .init(response.size.fields.bytes + 2, .reconstructed)
            }
            switch length(of: head, to: requestHead) {
            case .none, .fixed(0): return
            case .fixed, .untilClose: break
            case .chunked: response.size.framing = .unknown
            }
        } else if isRefusedByField || isRefusedAtLine {
            response.size.framing = .unknown
        } else {
            return
        }
        response.size.body = .unknown
        response.decodedBody = .unknown
    }

    /// The size of a body that must have come, by the response's headers, although libcurl showed nothing of it; nil if
    /// there is none.
    ///
    /// From 8.5 on libcurl does not show the body of a redirect or a challenge that it follows itself. It still reads
    /// the body, unless the connection is to be closed.
    func hiddenBody(_ heads: ResponseHeads, to requestHead: RequestHead?) -> WireSize.Part? {
        // If there are frames, they show the bytes of the body.
        guard bodyIn == nil, carried == nil, let head = heads.final, head.lines.isComplete else { return nil }
        switch length(of: head, to: requestHead) {
        case .none, .untilClose, .fixed(0): return nil
        case .chunked: return .unknown
        case .fixed(let count):
            let closes =
                head.lines.fields.firstValue(of: "Connection")?.lowercased() == "close" || head.httpVersion == "1.0"
            return closes ? .unknown : .init(ByteCount(count), .reconstructed)
        }
    }

    /// Whether libcurl showed the content of a chunked response, and not its chunks, as 8.5 does.
    func hidesFraming(_ heads: ResponseHeads, to requestHead: RequestHead?) -> Bool {
        guard bodyIn?.metered.isFramingRemoved == true, carried == nil, let head = heads.final else { return false }
        return length(of: head, to: requestHead) == .chunked
    }

    /// How the response ended, by its headers and the exchange's outcome.
    func responseEnd(
        _ heads: ResponseHeads, to requestHead: RequestHead?, _ outcome: ExchangeEnd.Outcome
    ) -> ResponseEnd {
        guard outcome == .completed, let head = heads.final, head.lines.isComplete else { return .unknown }
        if head.status == 101 { return .leavesHTTP }
        return length(of: head, to: requestHead) == .untilClose ? .unknown : .delimited
    }

    /// How many more bytes the response can have, by its headers; nil if they set no limit.
    func room(_ heads: ResponseHeads, to requestHead: RequestHead?, isWhole: Bool) -> Int64? {
        guard let head = heads.final, head.lines.isComplete, carried == nil else { return nil }
        let shown = bodyIn?.metered.bytes ?? 0
        switch length(of: head, to: requestHead) {
        case .none: return 0
        case .fixed(let count): return max(0, count - shown)
        case .chunked: return isWhole && shown > 0 && !hidesFraming(heads, to: requestHead) ? 0 : nil
        case .untilClose: return nil
        }
    }

    private func length(of head: ResponseHeads.Head, to requestHead: RequestHead?) -> BodyLength {
        BodyLength.ofResponse(
            status: head.status, to: requestHead?.method ?? "", head.lines.common,
            isHTTP2: head.httpVersion.isBinaryHTTP)
    }

    /// Whether it goes over its connection as HTTP/1 without TLS.
    func isPlain(_ head: RequestHead?) -> Bool {
        target?.isSecure == false && head?.method != "CONNECT" && head?.httpVersion.utf8.first == UInt8(ascii: "1")
    }

    /// The record of the exchange's end.
    ///
    /// - Parameters:
    ///   - time: when it was over.
    ///   - outcome: its outcome.
    ///   - steps: libcurl's clocks since the exchange began.
    ///   - isAnswered: whether a response has begun, other than interim ones.
    ///   - share: the overhead of its connection that belongs to it.
    /// - Returns: the record; its phases add up to its duration.
    func end(
        at time: UInt64, outcome: ExchangeEnd.Outcome, steps: TapFrame.Times, isAnswered: Bool, share: ConnectionShare?
    ) -> ExchangeEnd {
        let time = max(time, beganAt)
        return ExchangeEnd(
            exchange: id, endedAt: timestamp(time), outcome: outcome,
            timings: timings(until: time, steps: steps, isAnswered: isAnswered), connection: connection,
            reusedConnection: reusedConnection, remoteAddress: remoteAddress, share: share)
    }

    // The moments are from our own clock, in nanoseconds. libcurl's clocks add the lookup and the handshakes, in whole
    // microseconds. The rest of the time before the request was sent is the queue.
    private func timings(until time: UInt64, steps: TapFrame.Times, isAnswered: Bool) -> ExchangeTimings {
        var timings = ExchangeTimings()
        var before = Self.span(beganAt, min(sentAt ?? time, time))
        func take(_ duration: Int64?) -> Int64? {
            guard let duration else { return nil }
            let taken = min(duration, before)
            before -= taken
            return taken
        }
        if !reusedConnection, connection != nil {
            let (lookup, connect) = (steps.nameLookup, steps.connect)
            timings.dns = take(lookup)
            timings.connect = take(connect.map { max(0, $0 - (lookup ?? 0)) })
            if let tls = steps.appConnect, tls > 0 { timings.tls = take(max(0, tls - (connect ?? 0))) }
        } else if isBehindConnect, let tls = steps.appConnect, tls > 0 {
            // The proxy has opened the tunnel, and TLS started inside it.
            timings.tls = take(tls)
        } else if connection == nil, let lookup = steps.nameLookup, lookup > 0 {
            timings.dns = take(lookup)
        }
        if let sentAt {
            timings.queue = before
            let lastOut = min(max(bodyOut?.last ?? 0, sentAt), time)
            let firstIn = isAnswered ? headInAt ?? bodyIn?.first : nil
            if let firstIn = firstIn.map({ min(max($0, sentAt), time) }) {
                timings.send = Self.span(sentAt, min(lastOut, firstIn))
                timings.wait = Self.span(lastOut, firstIn)
                timings.receive = Self.span(firstIn, min(max(bodyIn?.last ?? 0, firstIn), time))
            } else {
                timings.send = Self.span(sentAt, lastOut)
                timings.wait = Self.span(lastOut, time)
            }
        }
        timings.close(over: Self.span(beganAt, time))
        return timings
    }

    /// When the last byte of its response came; nil if none has come.
    var lastInAt: UInt64? { headInAt.map { max(bodyIn?.last ?? 0, $0) } ?? bodyIn?.last }

    // MARK: figures

    /// The time between two moments; 0 if the clocks of two threads disagree about which was first.
    private static func span(_ from: UInt64, _ to: UInt64) -> Int64 { to > from ? Int64(clamping: to - from) : 0 }

    private static func decodedSize(_ body: MeteredBody.Reading?, coding: String, isWhole: Bool) -> WireSize.Part {
        guard let body, body.content > 0 else { return .captured(0) }
        switch coding {
        case "", "identity": return .captured(body.content)
        case "gzip", "x-gzip":
            // The last four bytes are the size, modulo 2^32 (RFC 1952, section 2.3.1). Only a whole body has them. A
            // server may send a part of a file as if it were the whole. DEFLATE makes content at most 1,032 times
            // shorter: 258 bytes in two bits.
            return isWhole && body.content >= 18 && Int64(body.tail) <= body.content * 1_032
                ? .init(ByteCount(body.tail), .reported) : .unknown
        default: return .unknown
        }
    }

    /// The size of a response by its frames, including the 101 in HTTP/1.1 that may have come before them.
    private static func size(_ message: HTTP2Message, _ heads: ResponseHeads, cookieShare: Double) -> WireSize {
        var size = message.size(
            interim: heads.interimCount - heads.superseded.count, cookieShare: cookieShare)
        // libcurl does not show the empty line after a 101.
        let end = heads.superseded.lacksEnd ? 2 : 0
        size.interim = .init(
            size.interim.bytes + ByteCount(heads.superseded.size + end), end > 0 ? .reconstructed : .captured)
        return size
    }

    /// The share of cookies among the start line and headers, as libcurl shows them.
    private static func cookieShare(_ size: WireSize) -> Double {
        let all = size.startLine.bytes.bytes + size.fields.bytes.bytes
        return all > 0 ? Double(size.cookies.bytes.bytes) / Double(all) : 0
    }

    /// HTTP/2's frame headers of nine bytes (RFC 9113, section 4.1): one for the headers, one for each 16 KiB of the
    /// body.
    private static func estimatedFrames(body: Int64) -> WireSize.Part {
        .init(ByteCount(9 + 9 * ((body + 16_383) / 16_384)), .reconstructed)
    }

    private static func kept(_ content: [UInt8], isChunked: Bool) -> [UInt8]? {
        guard !content.isEmpty else { return nil }
        guard isChunked else { return content }
        var chunks = ChunkedBody()
        return chunks.add(content)
    }
}
