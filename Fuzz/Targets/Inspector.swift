import TrafficInspector

extension FuzzTarget {
    /// The parser of requests to the inspector.
    static let inspector = FuzzTarget(
        name: "inspector",
        seeds: {
            [
                "GET /api/v1/exchanges?host=a%20b+c&limit=5 HTTP/1.1\r\nHost: localhost:1\r\nCookie: wireweight=abc\r\n\r\n",
                "\r\n\r\nPOST /api/v1/pause HTTP/1.1\r\nHost: h\r\nX-Wireweight: 1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET / HTTP/2\r\n\r\n",
                "GET http://h/ HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 2, 3\r\n\r\n",
                "GET /%e2%82%ac/%/%4/%zz//a?&=&a==b&%3d HTTP/1.1\nHost: h\r\n\r\n",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let taken = try splits.sameForAll(TakenRequests.init)
            try mustHold(taken.bytes <= splits.bytes.count, "content out of nothing")
        })
}

/// The results of reading a connection.
private struct TakenRequests: Equatable {
    /// A description of each request.
    var requests: [String] = []
    var refusal: String?
    var bytes = 0

    init(_ pieces: [[UInt8]]) {
        var reader = RequestReader()
        do {
            for piece in pieces {
                reader.add(piece)
                while let request = try reader.next() {
                    bytes += request.body.count
                    requests.append(
                        "\(request.method) \(request.segments) \(request.items) \(request.fields) \(request.body)")
                }
            }
        } catch {
            refusal = "\(error.status) \(error.code)"
        }
    }
}
