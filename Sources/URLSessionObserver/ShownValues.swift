internal import Foundation
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

// Conversions of Foundation's values to the model's.

extension Date {
    /// The date as a timestamp, clamped to the range of ``Timestamp``.
    var timestamp: Timestamp {
        let nanoseconds = timeIntervalSince1970 * 1_000_000_000
        guard nanoseconds == nanoseconds else { return Timestamp(nanoseconds: 0) }
        // 2^63 does not fit into an Int64, but the largest Double below it does.
        return Timestamp(nanoseconds: nanoseconds >= 0x1p63 ? .max : nanoseconds < -0x1p63 ? .min : Int64(nanoseconds))
    }
}

extension URLRequest {
    /// Whether the request's scheme is one of HTTP's.
    var isHTTP: Bool {
        let scheme = url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }
}

extension HTTPURLResponse {
    /// The header fields as strings.
    var shownFields: [String: String] {
        var result: [String: String] = [:]
        for (name, value) in allHeaderFields {
            guard let name = name as? String else { continue }
            result[name] = value as? String ?? String(describing: value)
        }
        return result
    }
}

extension FieldSection {
    /// Makes one line for each field, sorted by name, because Foundation does not keep the order of the wire.
    init(shown fields: [String: String]) {
        self.init(
            bytes: fields.sorted { $0.key < $1.key }.flatMap { Array("\($0.key): \($0.value)\r\n".utf8) })
    }

    /// The media type without its parameters, in lower case.
    var mediaType: String {
        let type = firstValue(of: "Content-Type") ?? ""
        return String(decoding: type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 }, as: UTF8.self)
            .lowercased()
    }

    /// The content coding in lower case; empty for none and for `identity`.
    var contentCoding: String {
        let coding = (firstValue(of: "Content-Encoding") ?? "").lowercased()
        return coding == "identity" ? "" : coding
    }
}

extension ExchangeEnd.Outcome {
    /// Converts an error of URLSession to an outcome; nil means completed.
    init(_ error: (any Error)?) {
        guard let error = error as NSError? else {
            self = .completed
            return
        }
        switch (error.domain, error.code) {
        case (NSURLErrorDomain, NSURLErrorCancelled), (NSCocoaErrorDomain, CocoaError.Code.userCancelled.rawValue):
            self = .cancelled
        case (NSURLErrorDomain, NSURLErrorTimedOut): self = .timedOut
        default:
            self = .failed(
                ExchangeFailure(.init(error.domain), code: error.code, message: error.localizedDescription))
        }
    }
}
