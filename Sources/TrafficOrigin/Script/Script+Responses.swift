extension Script {
    /// How the content of a response is framed.
    ///
    /// Later versions may have more ways.
    public struct Body: Sendable {
        enum Form {
            case none
            case sized([UInt8])
            case truncated([UInt8], promised: Int)
            case lengthOnly(Int)
            case chunked([Chunk], trailers: [String])
            case untilClose([UInt8])
            case fill(Int)
            case fillChunks(count: Int, size: Int)
        }

        let form: Form

        private init(_ form: Form) { self.form = form }

        /// No content, and no field that frames it.
        public static let none = Body(.none)
        /// Content with a Content-Length.
        public static func sized(_ bytes: [UInt8]) -> Body { Body(.sized(bytes)) }
        /// Content with a Content-Length that promises more bytes than come; a FIN follows.
        public static func truncated(_ bytes: [UInt8], promised: Int) -> Body {
            Body(.truncated(bytes, promised: promised))
        }
        /// A Content-Length without content, as for HEAD and 304.
        public static func lengthOnly(_ count: Int) -> Body { Body(.lengthOnly(count)) }
        /// Content in chunks, each with its extension, followed by trailer lines.
        public static func chunked(_ chunks: [Chunk], trailers: [String] = []) -> Body {
            Body(.chunked(chunks, trailers: trailers))
        }
        /// Content that ends with the connection.
        public static func untilClose(_ bytes: [UInt8]) -> Body { Body(.untilClose(bytes)) }
        /// A number of bytes of the pattern, with a Content-Length.
        public static func fill(_ count: Int) -> Body { Body(.fill(count)) }
        /// A number of chunks of the pattern, each of `size` bytes.
        public static func fillChunks(count: Int, size: Int) -> Body { Body(.fillChunks(count: count, size: size)) }

        /// Returns text with a Content-Length.
        public static func text(_ text: String) -> Body { .sized(Array(text.utf8)) }

        /// Splits bytes into chunks of the given sizes; the rest makes one more chunk.
        public static func chunked(_ bytes: [UInt8], sizes: [Int], trailers: [String] = []) -> Body {
            var chunks: [Chunk] = []
            var rest = bytes[...]
            for size in sizes where !rest.isEmpty {
                chunks.append(Chunk(Array(rest.prefix(size))))
                rest = rest.dropFirst(size)
            }
            if !rest.isEmpty { chunks.append(Chunk(Array(rest))) }
            return .chunked(chunks, trailers: trailers)
        }
    }

    /// One chunk (RFC 9112, section 7.1).
    public struct Chunk: Sendable {
        /// The data, which must not be empty, because an empty chunk is the last one.
        public var bytes: [UInt8]
        /// The text between the size and the line end, such as `;name=value`.
        public var chunkExtension: String
        /// The size as written in the chunk-size line; nil for plain hexadecimal digits.
        public var spelledSize: String?

        /// Makes a chunk of data.
        public init(_ bytes: [UInt8], chunkExtension: String = "", spelledSize: String? = nil) {
            self.bytes = bytes
            self.chunkExtension = chunkExtension
            self.spelledSize = spelledSize
        }

        var segments: [Segment] {
            let size = spelledSize ?? String(bytes.count, radix: 16)
            return [
                Segment("\(size)\(chunkExtension)\r\n", as: .framing), Segment(bytes, as: .body),
                Segment("\r\n", as: .framing),
            ]
        }
    }

    /// Makes a script that writes a response.
    ///
    /// - Parameters:
    ///   - status: the status line without the version, such as `200 OK`.
    ///   - version: the version in the status line.
    ///   - fields: field lines without their line ends, written verbatim and in order.
    ///   - body: the content; the fields that frame it are added.
    /// - Returns: the script.
    public static func respond(
        _ status: String = "200 OK", version: String = "HTTP/1.1", fields: [String] = [], body: Body = .none
    ) -> Script {
        var lines = fields
        switch body.form {
        case .none: break
        case .sized(let bytes): lines.append("Content-Length: \(bytes.count)")
        case .truncated(_, let promised): lines.append("Content-Length: \(promised)")
        case .lengthOnly(let count), .fill(let count): lines.append("Content-Length: \(count)")
        case .chunked(_, let trailers):
            lines.append("Transfer-Encoding: chunked")
            if !trailers.isEmpty {
                lines.append("Trailer: " + trailers.map { $0.prefix { $0 != ":" } }.joined(separator: ", "))
            }
        case .fillChunks: lines.append("Transfer-Encoding: chunked")
        case .untilClose: lines.append("Connection: close")
        }
        let head = head(status, version: version, fields: lines)
        switch body.form {
        case .none, .lengthOnly: return Script([.write(head)])
        case .sized(let bytes): return Script([.write(head + [Segment(bytes, as: .body)])])
        case .truncated(let bytes, _), .untilClose(let bytes):
            return Script([.write(head + [Segment(bytes, as: .body)]), .close])
        case .chunked(let chunks, let trailers):
            return Script([.write(head + chunks.flatMap(\.segments) + lastChunk(trailers: trailers))])
        case .fill(let count): return Script([.write(head), .fill(count: count)])
        case .fillChunks(let count, let size):
            return Script([.write(head), .fillChunks(count: count, size: size), .write(lastChunk())])
        }
    }

    /// Makes a script that writes a 1xx response.
    public static func interim(_ status: String, fields: [String] = []) -> Script {
        let text = (["HTTP/1.1 \(status)"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
        return Script([.write([Segment(text, as: .interim)])])
    }

    /// Makes a script that waits.
    public static func pause(milliseconds: Int) -> Script { Script([.pause(milliseconds: milliseconds)]) }

    /// A script that ends the connection with a FIN.
    public static let close = Script([.close])

    /// A script that waits until the client has received all bytes written, then ends the connection with a RST.
    public static let reset = Script([.awaitDelivery, .reset])

    /// A script that waits until the client hangs up.
    public static let hold = Script([.hold])

    /// Makes a script that writes text verbatim, counted as the given part.
    public static func write(_ text: String, as part: MessagePart) -> Script {
        Script([.write([Segment(text, as: part)])])
    }

    /// Returns the status line, field lines and empty line of a response.
    public static func head(_ status: String, version: String = "HTTP/1.1", fields: [String]) -> [Segment] {
        let lines = fields.map { line in
            Segment(line + "\r\n", as: line.lowercased().hasPrefix("set-cookie:") ? .cookie : .field)
        }
        return [Segment("\(version) \(status)\r\n", as: .startLine)] + lines + [Segment("\r\n", as: .field)]
    }

    /// Returns the last chunk, the trailer lines and the empty line.
    public static func lastChunk(trailers: [String] = []) -> [Segment] {
        [Segment("0\r\n" + trailers.map { $0 + "\r\n" }.joined() + "\r\n", as: .framing)]
    }
}
