package import WireweightTesting

/// A response that is malformed or contradicts itself.
///
/// It leaves out responses that end any process with Foundation for Linux, metered or not: trailers, an empty reason
/// phrase, headers cut off by the end of the connection.
package struct HostileResponse: Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package let description: String
    /// The method of the request.
    package var method = "GET"
    /// Whether a client reads all of it from the wire, even if it then rejects it.
    package var isTakenWhole = true
    private let segments: [Script.Segment]

    /// The script that writes the bytes in one piece and ends the connection.
    package var script: Script { Script([.write(segments), .close]) }

    private init(
        _ description: String, status: String = "200 OK", fields: [String], _ content: Script.Segment...
    ) {
        self.description = description
        segments = Script.head(status, fields: fields) + content
    }

    private func with(_ change: (inout HostileResponse) -> Void) -> HostileResponse {
        var copy = self
        change(&copy)
        return copy
    }

    private static let chunked = "Transfer-Encoding: chunked"
    private static let gzip = "Content-Encoding: gzip"

    private static func body(_ text: String) -> Script.Segment { .init(text, as: .body) }
    private static func framing(_ text: String) -> Script.Segment { .init(text, as: .framing) }

    /// All hostile responses.
    package static let all: [HostileResponse] = lengths + chunks + codings + contents + others

    private static let lengths = [
        HostileResponse("less than promised", fields: ["Content-Length: 100"], body("hello")),
        HostileResponse("more than promised", fields: ["Content-Length: 5"], body("hello"), framing(" world")).with {
            $0.isTakenWhole = false
        },
        HostileResponse("a negative length", fields: ["Content-Length: -5"], body("hello")).with {
            $0.isTakenWhole = false
        },
        HostileResponse("a length that is no number", fields: ["Content-Length: many"], body("hello")).with {
            $0.isTakenWhole = false
        },
        HostileResponse(
            "a length beyond all numbers", fields: ["Content-Length: 99999999999999999999999"], body("hello")),
        HostileResponse("two lengths", fields: ["Content-Length: 5", "Content-Length: 3"], body("hello")).with {
            $0.isTakenWhole = false
        },
        HostileResponse(
            "a length and chunks", fields: ["Content-Length: 3", chunked], framing("5\r\n"), body("hello"),
            framing("\r\n0\r\n\r\n")),
    ]

    private static let chunks = [
        HostileResponse("a chunk size that is no number", fields: [chunked], framing("zz\r\nhello\r\n0\r\n\r\n")),
        HostileResponse(
            "a chunk size beyond all numbers", fields: [chunked], framing("FFFFFFFFFFFFFFFFFF\r\nhello\r\n")),
        HostileResponse(
            "a chunk longer than its size", fields: [chunked], framing("2\r\n"), body("he"),
            framing("llo\r\n0\r\n\r\n")),
        HostileResponse("a chunk that is cut", fields: [chunked], framing("64\r\n"), body("hello")),
        HostileResponse(
            "chunks without a last one", fields: [chunked], framing("5\r\n"), body("hello"), framing("\r\n")),
        HostileResponse("chunked that is not", fields: [chunked], framing("hello")),
    ]

    private static let codings = [
        HostileResponse("gzip that is none", fields: [gzip, "Content-Length: 5"], body("hello")),
        HostileResponse(
            "gzip that is cut", fields: [gzip, "Content-Length: 100"],
            .init(Array(CodedContent.gzip.bytes.prefix(100)), as: .body)),
        HostileResponse(
            "gzip with something after it", fields: [gzip, "Content-Length: \(CodedContent.gzip.bytes.count + 8)"],
            .init(CodedContent.gzip.bytes + Array("and more".utf8), as: .body)),
        HostileResponse(
            "gzip in chunks that is none", fields: [gzip, chunked], framing("5\r\n"), body("hello"),
            framing("\r\n0\r\n\r\n")),
        HostileResponse(
            "an unknown coding", fields: ["Content-Encoding: x-none", "Content-Length: 5"], body("hello")),
    ]

    private static let contents = [
        HostileResponse(
            "204 with content", status: "204 No Content", fields: ["Content-Length: 5"], body("hello")
        ).with { $0.isTakenWhole = false },
        HostileResponse(
            "304 with content", status: "304 Not Modified", fields: ["Content-Length: 5"], body("hello")
        ).with { $0.isTakenWhole = false },
        HostileResponse("content for HEAD", fields: ["Content-Length: 5"], body("hello")).with {
            $0.method = "HEAD"
            $0.isTakenWhole = false
        },
    ]

    private static let others = [
        HostileResponse(
            "a field of 60,000 bytes", fields: ["X: \(String(repeating: "x", count: 60_000))", "Content-Length: 5"],
            body("hello")),
        HostileResponse(
            "a redirect to nowhere", status: "302 Found", fields: ["Location: ", "Content-Length: 5"], body("hello")),
        HostileResponse(
            "a redirect to no HTTP", status: "302 Found",
            fields: ["Location: gopher://127.0.0.1/", "Content-Length: 5"],
            body("hello")),
    ]
}
