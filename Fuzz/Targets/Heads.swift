import HTTPWire
import TrafficModel

extension FuzzTarget {
    /// The parsers of HTTP/1 headers with their start lines, of requests and responses, and of request targets.
    static let heads = FuzzTarget(
        name: "heads",
        seeds: {
            [
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nHTTP/1.1 404 Not Found\n\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nHTTP/2 200 \r\na: b\r\n\r\ntrailer: c\r\n\r\n",
                "HTTP/1.0 200\r\nTransfer-Encoding: gzip, chunked ; a=b\r\nFolded: a\r\n b\r\n\tc\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\nX: HTTP/1.1 200 OK\r\n",
                "GET /a%20b?c=d#e HTTP/1.1\r\nHost: h\r\nCookie: a=b; c=d\r\n\r\n",
                "POST http://u:p@[::1]:8080/a?b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "CONNECT h:443 HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1\nHost: h\n\n", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let bytes = splits.bytes
            let sums = try splits.sameForAll { HeadSums(ResponseHeads($0)) }
            try mustHold(
                sums.all == bytes.count && sums.parts == bytes.count, "\(sums) of \(bytes.count) bytes of headers")

            let request = RequestHead(bytes[...])
            let lines = request.lines
            try mustHold(lines.startLineSize + lines.fieldsSize == bytes.count, "a request's parts do not add up")
            try mustHold(request.size.known == ByteCount(bytes.count), "a request's size does not add up")
            try mustHold(request.size.cookies.bytes <= request.size.fields.bytes, "more cookies than fields")
            let fields = lines.fields
            let common = lines.common
            try mustHold(
                common.namesChunked == fields.namesChunked && common.contentLength == fields.contentLength
                    && common.namesTransferCoding == fields.namesTransferCoding
                    && common.cookieSize == fields.size(ofLinesNamed: "Cookie")
                    && common.setCookieSize == fields.size(ofLinesNamed: "Set-Cookie")
                    && common.contentType.map { String(decoding: fields.bytes[$0], as: UTF8.self) }
                        == fields.firstValue(of: "Content-Type")
                    && common.contentEncoding.map { String(decoding: fields.bytes[$0], as: UTF8.self) }
                        == fields.firstValue(of: "Content-Encoding"),
                "\(common) is not what the fields say")
            let rest = lines.fieldsSize - fields.bytes.count
            try mustHold(lines.isComplete ? rest == 1 || rest == 2 : rest == 0, "an empty line of \(rest) bytes")

            if var target = RequestTarget(url: String(decoding: bytes, as: UTF8.self)) {
                try mustHold((0...65_535).contains(target.port), "port \(target.port)")
                let url = String(decoding: bytes, as: UTF8.self)
                if let origin = RequestTarget.Origin(url, target) {
                    try mustHold(RequestTarget(url: url, from: origin) == target, "another target from its origin")
                }
                target.take(requestLineTarget: request.target)
                try mustHold(!target.path.isEmpty, "an empty path")
            }
        })
}

/// The results of parsing headers.
private struct HeadSums: Equatable {
    var all: Int
    var parts: Int
    var status: Int?
    var version: String?
    var superseded: Int
    var size: WireSize

    init(_ heads: ResponseHeads) {
        all = heads.byteCount
        let lines = heads.final?.lines
        parts = (lines?.startLineSize ?? 0) + (lines?.fieldsSize ?? 0) + heads.interimSize + heads.trailerSize
        status = heads.final?.status
        version = heads.final?.httpVersion
        superseded = heads.superseded.size
        size = heads.size(missing: 2)
    }
}
