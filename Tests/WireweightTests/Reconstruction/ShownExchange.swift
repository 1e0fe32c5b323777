import ContentCoding
import Foundation
import HTTPWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One attempt of a task as Foundation shows it to an observer outside.
struct ShownExchange {
    /// How the content was handed over.
    enum Content {
        case none
        /// In the request's `httpBody`.
        case body(Int)
        /// Of an upload task, from memory or from a file.
        case upload(Int)
        /// In the request's `httpBodyStream`.
        case stream(Int)
        /// Asked of the delegate.
        case streamedUpload(Int)
    }

    var request: URLRequest
    var content = Content.none
    var response: HTTPURLResponse?
    /// The session's own fields.
    var additionalFields: [String: String] = [:]
    /// What the session's storage held for the URL when the task began.
    var cookies: [HTTPCookie] = []
    /// The configuration's `httpShouldSetCookies`; on Linux the request's own `httpShouldHandleCookies` does nothing.
    var setsCookies = true
    /// The data callbacks.
    var callbacks: [Int] = []
    var pieces: PieceTally { PieceTally(callbacks) }
    /// What came in them.
    var decoded = Data()
    /// Whether the delegate was shown the content at all.
    var showsContent = true
}

extension ShownExchange {
    /// What the loader of this process adds.
    static let profile: PlatformProfile = {
        let version = LoadedCurl.version
        let codings = [
            ("zlib/", "deflate, gzip"), ("brotli/", "br"), ("zstd/", "zstd"),
        ].filter { version.contains($0.0) }.map(\.1).joined(separator: ", ")
        let number = version.split(separator: " ").first?.split(separator: "/").last ?? ""
        return .foundationLinux(
            userAgent: "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(number)",
            language: Locale.current.language.languageCode?.identifier, contentCodings: codings)
    }()

    /// The request in the words of `HTTPWire`.
    var shownRequest: ShownRequest {
        var shown = ShownRequest(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "",
            fields: (request.allHTTPHeaderFields ?? [:]).map { ShownField($0.key, $0.value) },
            additionalFields: additionalFields.map { ShownField($0.key, $0.value) },
            cookies: cookies.map { ShownField($0.name, $0.value) },
            wantsCookies: setsCookies)
        shown.holdsBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
        switch content {
        case .none: shown.body = .none
        case .body(let count), .upload(let count): shown.body = .length(Int64(count))
        case .stream(let count): shown.body = .stream(length: nil, counted: Int64(count))
        case .streamedUpload(let count):
            shown.body = .stream(length: nil, counted: Int64(count))
            shown.isStreamedUpload = true
        }
        return shown
    }

    /// The response in the words of `HTTPWire`; nil where none was shown.
    ///
    /// - Parameter wire: the length of the body as sent, where somebody has captured it.
    /// - Returns: the response.
    func shownResponse(wire: Int64?) -> ShownResponse? {
        guard let response else { return nil }
        var shown = ShownResponse(
            status: response.statusCode,
            fields: response.allHeaderFields.compactMap { key, value in
                (key as? String).flatMap { name in (value as? String).map { ShownField(name, $0) } }
            },
            requestMethod: request.httpMethod ?? "GET")
        if case .streamedUpload = content { shown.requestExpectsContinue = true }
        if request.value(forHTTPHeaderField: "Expect") != nil { shown.requestExpectsContinue = true }
        shown.pieces = pieces.count > 0 ? pieces : nil
        if let wire {
            shown.body = .wire(wire)
        } else if showsContent {
            shown.body = .decoded(Int64(decoded.count), recompressed: nil)
            let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? ""
            if var estimator = CompressedSizeEstimator(
                contentEncoding: coding, makeCompressor: { $0.compressor(level: $1) })
            {
                decoded.withUnsafeBytes { estimator.add($0) }
                shown.body = estimator.finish()
            }
        }
        return shown
    }
}
