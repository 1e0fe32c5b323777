internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The content of a request that a protocol object is to send in the program's place.
///
/// Foundation gives a protocol object a stream, also where the program gave data. A stream would go out in chunks, and
/// could not be sent again after a challenge or a redirect with 307, for which the client of a protocol object has no
/// call (`needNewBodyStream`).
enum SentBody: Hashable {
    case none
    /// It can be sent with its length, and again.
    case data(Data)
    /// Only the system's own loader can send it again.
    case stream

    /// - Parameters:
    ///   - request: the request as it is about to be loaded.
    ///   - original: the task's first request; nil if it is not known.
    ///   - isUpload: whether an upload task sends it, whose content is not that of its request.
    init(of request: URLRequest, original: URLRequest?, isUpload: Bool) {
        if isUpload {
            self = .stream
        } else if let data = request.httpBody {
            self = .data(data)
        } else if let data = original?.httpBody, original?.url == request.url {
            self = .data(data)
        } else {
            // After a redirect that keeps the content, the program may have changed it.
            self = request.httpBodyStream == nil ? .none : .stream
        }
    }
}
