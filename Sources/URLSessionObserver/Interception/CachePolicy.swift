internal import Foundation
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Decides whether a client may cache a response.
///
/// Only the system's loader knows the answer, and our session hides it. So we apply the rules of RFC 9111, section 3,
/// to the messages.
enum CachePolicy {
    /// Returns the storage policy for the response to a request.
    static func storage(for response: URLResponse, to request: URLRequest?) -> URLCache.StoragePolicy {
        guard let response = response as? HTTPURLResponse, let request else { return .notAllowed }
        guard ["GET", "HEAD"].contains(request.httpMethod ?? "GET"),
            [200, 203, 204, 300, 301, 404, 410].contains(response.statusCode)
        else { return .notAllowed }
        let directives = [
            FieldSection(shown: response.shownFields).firstValue(of: "Cache-Control"),
            request.value(forHTTPHeaderField: "Cache-Control"),
        ].compactMap { $0?.lowercased() }
        if directives.contains(where: { $0.contains("no-store") }) { return .notAllowed }
        // Responses over TLS are not written to disk.
        return response.url?.scheme?.lowercased() == "https" ? .allowedInMemoryOnly : .allowed
    }
}
