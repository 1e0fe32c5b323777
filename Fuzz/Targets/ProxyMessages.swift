import HTTPWire
import ProxyWire

extension FuzzTarget {
    /// A client's request: what the proxy sends on must be one request for the meter, and for the proxy itself.
    static let proxyRequest = FuzzTarget(
        name: "proxy-request",
        seeds: {
            [
                "GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\nProxy-Connection: keep-alive\r\n\r\n",
                "POST http://a:81 HTTP/1.1\r\nhost:b\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1;a\r\nx\r\n0\r\nT: u\r\n\r\n",
                "PUT http://[::1]/ HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabcGET / HTTP/1.1\r\n\r\n",
                "OPTIONS http://a HTTP/1.1\r\nConnection: close, upgrade\r\nUpgrade: h2c\r\n\r\n",
                "CONNECT a.test:443 HTTP/1.1\r\nProxy-Authorization: Basic eDp5\r\n\r\n\u{16}",
                "GET http://a.test/ HTTP/1.1\r\nA: b\rc\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n", "",
            ].map { .text($0) }
        },
        run: { input in
            for hasUpstream in [false, true] {
                let taken = try Splits(input).sameForAll { TakenRequest($0, hasUpstream: hasUpstream) }
                guard taken.isWhole, !taken.isTunnel else { continue }
                var scanner = HTTP1Scanner()
                let read = scanner.add(taken.sent, ofResponse: false)
                try mustHold(
                    read.filter(\.ends).count == 1 && read.last?.ends == true
                        && read.allSatisfy { [.head, .content, .framing].contains($0.kind) },
                    "\(taken.sent.shown) is read as \(read)")
                let again = TakenRequest([taken.sent], hasUpstream: hasUpstream)
                try mustHold(
                    again.isWhole && again.sent == taken.sent, "\(taken.sent.shown) becomes \(again.sent.shown)")
            }
        })

    /// A server's response: where the proxy sees its end, the meter must see it.
    static let proxyResponse = FuzzTarget(
        name: "proxy-response",
        seeds: {
            [
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.0 404 No\nContent-Length: 1, 1\n\nxrest",
                "HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                "HTTP/1.1 204\r\n\r\n", "HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\nx",
                "HTTP/1.1 200 O\rK\r\nA: b\rc\r\n\r\nrest",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n 3\r\n\r\nabc", "HTTP/1.1 2\r00 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\nto the end", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let read = ReadResponse(splits.bytes)
            try mustHold(
                read.statuses == read.words,
                "\(splits.bytes.shown) has \(read.statuses), and by its lines \(read.words)")
            let passed = try splits.sameForAll(PassedResponse.init)
            guard !passed.isPassing else { return }
            try mustHold(
                passed.count == read.count && passed.status == read.statuses.last ?? 0,
                "\(splits.bytes.shown) ends for the proxy at \(passed), and for the meter at \(read)")
        })

    /// A chunked body: where the proxy sees its end, the meter must see it.
    static let proxyChunks = FuzzTarget(
        name: "proxy-chunks",
        seeds: {
            [
                "5\r\nhello\r\n0\r\n\r\nrest", "5;a=b\r\nhello\r\n00\r\nTrailer: a\r\n\r\n",
                "A \r\n0123456789\r\n0\r\n\r\n",
                "10000000000000000\r\n", "1\na\n0\n\n", "1\r\naX", "0\r\n\ra\r\n\r\n", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let taken = try splits.sameForAll(TakenChunks.init)
            guard let count = taken.count else { return }
            var body = ChunkedBody()
            let content = body.add(Array(splits.bytes[..<count]))
            try mustHold(
                body.isComplete && !body.isBroken && content.count + Int(body.framingSize) == count,
                "\(splits.bytes.shown) ends at \(count), and is not complete for the meter")
        })
}

/// What the proxy makes of a client's bytes.
private struct TakenRequest: Equatable {
    var sent: [UInt8] = []
    var isWhole = false
    var isTunnel = false

    init(_ pieces: [[UInt8]], hasUpstream: Bool) { take(pieces, hasUpstream) }

    private mutating func take(_ pieces: [[UInt8]], _ hasUpstream: Bool) {
        var waiting: [UInt8] = []
        var end = HeadEnd(allowsBareLF: false)
        var scanner: BodyScanner?
        for piece in pieces where !isWhole {
            waiting += piece
            if scanner == nil {
                guard let count = waiting.withUnsafeBytes({ end.find(in: $0) }) else { continue }
                let head = Array(waiting[..<count])
                waiting.removeFirst(count)
                guard let parsed = head.withUnsafeBytes({ try? ProxyWire.RequestHead($0) }) else { return sent = [] }
                switch parsed.target {
                case .authority: isTunnel = true
                case .absolute(_, isTLS: false): break
                // Answered by the proxy itself; but what it once sent on must be readable.
                case .origin where !hasUpstream: break
                case .absolute, .origin: return
                }
                let recipient: ProxyWire.RequestHead.Recipient =
                    hasUpstream ? .proxy(authorization: "Proxy-Authorization: Basic eDp5\r\n") : .server
                head.withUnsafeBytes { bytes in
                    parsed.forEachPiece(of: bytes, to: recipient) { sent += Array($0) }
                }
                scanner = BodyScanner(parsed.body)
            }
            guard let count = waiting.withUnsafeBytes({ bytes in try? scanner?.take(bytes) }) else { return sent = [] }
            sent += waiting[..<count]
            waiting.removeFirst(count)
            isWhole = scanner?.isDone ?? false
        }
    }
}

/// Where a response to GET ends for the proxy.
private struct PassedResponse: Equatable {
    /// Nil if it has not ended.
    var count: Int?
    var status = 0
    /// It is passed on until the server ends the connection.
    var isPassing = false

    init(_ pieces: [[UInt8]]) { take(pieces) }

    private mutating func take(_ pieces: [[UInt8]]) {
        var waiting: [UInt8] = []
        var taken = 0
        var end = HeadEnd(allowsBareLF: true)
        var scanner: BodyScanner?
        for piece in pieces {
            waiting += piece
            while scanner == nil {
                guard waiting.prefix(7).elementsEqual("HTTP/1.".utf8.prefix(waiting.count)) else {
                    return isPassing = true
                }
                guard let count = waiting.withUnsafeBytes({ end.find(in: $0) }) else { break }
                guard let head = waiting[..<count].withUnsafeBytes({ ProxyWire.ResponseHead($0) }) else {
                    return isPassing = true
                }
                waiting.removeFirst(count)
                taken += count
                status = head.status
                if head.isInterim { continue }
                if status == 101 { return isPassing = true }
                scanner = BodyScanner(head.body)
            }
            guard scanner != nil else { continue }
            guard let count = waiting.withUnsafeBytes({ bytes in try? scanner?.take(bytes) }),
                scanner?.endsAtClose == false
            else { return isPassing = true }
            waiting.removeFirst(count)
            taken += count
            if scanner?.isDone == true {
                self.count = taken
                return
            }
        }
    }
}

/// Where it ends for the meter.
private struct ReadResponse {
    var count: Int?
    /// Of the interim responses and the final one.
    var statuses: [Int] = []
    /// The same by the reader of whole header sections.
    var words: [Int] = []

    init(_ bytes: [UInt8]) {
        var scanner = HTTP1Scanner()
        _ = scanner.add(Array("GET / HTTP/1.1\r\n\r\n".utf8), ofResponse: false)
        var taken = 0
        var begin = 0
        for piece in scanner.add(bytes, ofResponse: true) {
            if piece.begins { begin = taken }
            taken += piece.count
            if piece.endsHead {
                statuses.append(piece.status)
                words.append(HTTPWire.ResponseHeads.Head(bytes[begin..<taken]).status)
            }
            if piece.ends {
                count = taken
                return
            }
        }
    }
}

/// Where a body in chunks ends for the proxy; nil if it does not, or breaks the rules.
private struct TakenChunks: Equatable {
    var count: Int?

    init(_ pieces: [[UInt8]]) {
        var scanner = BodyScanner(.chunked)
        var taken = 0
        for piece in pieces {
            guard let count = piece.withUnsafeBytes({ try? scanner.take($0) }) else { return }
            taken += count
            if scanner.isDone {
                self.count = taken
                return
            }
        }
    }
}

extension [UInt8] {
    /// For the report of a finding.
    var shown: String { String(decoding: self, as: UTF8.self).debugDescription }
}
