import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call of the demo's client.
struct DemoCall: Sendable {
    /// How URLSession gets the request's content, and the content's length.
    enum Body: Sendable {
        case none
        case data(Int)
        case stream(Int)
    }

    var method: String
    var path: String
    var body: Body
    var number: Int
    /// Whether the request is conditional on a change since the version that the client has.
    var isConditional: Bool
    /// Whether the request carries debugging headers that were never removed.
    var isVerbose = false

    /// Makes the call.
    ///
    /// - Returns: whether a response came.
    func perform(_ session: URLSession, _ base: URL) async -> Bool {
        guard let url = URL(string: path, relativeTo: base) else { return false }
        var request = URLRequest(url: url.absoluteURL)
        request.httpMethod = method
        if isConditional { request.setValue("\"article-\(number)\"", forHTTPHeaderField: "If-None-Match") }
        if isVerbose {
            request.setValue(String(repeating: "trace ", count: 200), forHTTPHeaderField: "X-Debug-Context")
        }
        do {
            switch body {
            case .none:
                _ = try await session.data(for: request)
            case .data(let count):
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                _ = try await session.upload(for: request, from: content(count))
            case .stream(let count):
                request.setValue("image/png", forHTTPHeaderField: "Content-Type")
                request.httpBodyStream = InputStream(data: content(count))
                _ = try await session.data(for: request)
            }
            return true
        } catch {
            return false
        }
    }

    private func content(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) })
    }
}
