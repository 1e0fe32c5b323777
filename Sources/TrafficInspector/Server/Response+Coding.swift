internal import ContentCoding
internal import Locks
internal import TrafficModel

extension Response {
    /// Says that the response depends on the codings that the caller accepts.
    static let vary = (name: "Vary", value: "Accept-Encoding")
    /// Bytes.
    ///
    /// A smaller response gains little from gzip, and fits one packet anyway.
    private static let leastCoded = 512
    /// A fast level: responses are JSON and text, which the first levels already compress well.
    private static let level = 4

    /// The response in gzip, if the caller accepts it and it saves bytes (RFC 9110, section 8.4).
    func coded(for request: Request) -> Response {
        coded(for: request) { GzipEncoder.encoded($0, level: Self.level) }
    }

    /// The response in gzip, if the caller accepts it and it saves bytes.
    ///
    /// - Parameters:
    ///   - request: the request that it responds to.
    ///   - encode: compresses the whole content with gzip.
    /// - Returns: the response, in gzip or unchanged.
    func coded(for request: Request, _ encode: ([UInt8]) -> [UInt8]?) -> Response {
        guard status == 200, Self.isCompressible(type), !fields.contains(where: { $0.name == "Content-Encoding" })
        else {
            return self
        }
        var response = self
        response.fields.append(Self.vary)
        guard Self.takesGzip(request) else { return response }
        switch content {
        case .bytes(let bytes):
            guard bytes.count >= Self.leastCoded, let coded = encode(bytes) else { return response }
            response.content = .bytes(coded)
        case .stream(let next):
            guard let encoder = GzipEncoder(level: Self.level) else { return response }
            // Events must be visible at once, so they are flushed; files should be small, so they are not.
            response.content = .stream(Self.coded(next, by: encoder, isFlushed: type == "text/event-stream"))
        case .headOnly: return self
        }
        response.fields.append(("Content-Encoding", "gzip"))
        return response
    }

    private var type: String { fields.first { $0.name == "Content-Type" }?.value ?? "" }

    private static func coded(
        _ next: @escaping @Sendable () async throws -> [UInt8]?, by encoder: sending GzipEncoder, isFlushed: Bool
    ) -> @Sendable () async throws -> [UInt8]? {
        // One connection takes the pieces, one after the other; nil after the end.
        let place = EncoderPlace(encoder)
        return {
            guard place.isOpen else { return nil }
            guard let piece = try await next() else { return place.finish() }
            return place.add(piece, isFlushed: isFlushed)
        }
    }

    private static func isCompressible(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/x-ndjson")
            || type.hasPrefix("image/svg") || type == "application/vnd.sqlite3"
    }

    /// Whether the caller accepts gzip, or everything, with a weight above 0 (RFC 9110, section 12.5.3).
    static func takesGzip(_ request: Request) -> Bool {
        var any = false
        for line in request.fields.values(of: "Accept-Encoding") {
            for item in line.split(separator: ",") {
                let parts = item.split(separator: ";").map {
                    String($0.filter { $0 != " " && $0 != "\t" }).lowercased()
                }
                guard let name = parts.first, ["gzip", "x-gzip", "*"].contains(name) else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
                if name != "*" { return weight > 0 }
                any = weight > 0
            }
        }
        return any
    }
}

/// An encoder between a stream and the connection that reads it.
private final class EncoderPlace: Sendable {
    private let encoder: Mutex<GzipEncoder?>

    init(_ encoder: sending GzipEncoder) { self.encoder = Mutex(encoder) }

    var isOpen: Bool { encoder.withLock { $0 != nil } }

    func add(_ bytes: [UInt8], isFlushed: Bool) -> [UInt8] {
        encoder.withLock { $0?.add(bytes, isFlushed: isFlushed) ?? [] }
    }

    func finish() -> [UInt8] {
        encoder.withLock { encoder in
            defer { encoder = nil }
            return encoder?.finish() ?? []
        }
    }
}
