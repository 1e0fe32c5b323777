import ContentCoding
import EarlierMonitors
import Foundation
import HTTPWire
import TrafficModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ShownExchange {
    /// What an earlier monitor sees of it.
    ///
    /// - Parameter row: what the tap captured, for the phrase of the status line, which those monitors get on Apple's
    ///   platforms and Foundation on Linux does not show.
    /// - Returns: the exchange; nil where no response was shown.
    func seen(row: StoredExchange) -> SeenExchange? {
        guard let response else { return nil }
        var seen = SeenExchange()
        seen.method = request.httpMethod ?? "GET"
        seen.path = request.url?.path ?? "/"
        seen.requestFields = Self.fields(request.allHTTPHeaderFields ?? [:])
        seen.cookieFields = Self.fields(HTTPCookie.requestHeaderFields(with: cookies))
        seen.httpBody = request.httpBody.map(Self.measured)
        seen.status = response.statusCode
        seen.reason = row.response?.reason ?? ""
        seen.responseFields = Self.fields(
            Dictionary(
                uniqueKeysWithValues: response.allHeaderFields.compactMap { key, value in
                    (key as? String).flatMap { name in (value as? String).map { (name, $0) } }
                }))
        seen.expectedContentLength = response.expectedContentLength
        seen.responseBody = Self.measured(decoded)
        seen.callbacks = callbacks
        return seen
    }

    private static func fields(_ dictionary: [String: String]) -> [SeenExchange.Field] {
        dictionary.map { SeenExchange.Field(name: $0.key, value: $0.value) }
    }

    private static func measured(_ data: Data) -> SeenExchange.Content {
        var content = SeenExchange.Content()
        content.count = Int64(data.count)
        content.isText = String(data: data, encoding: .utf8) != nil
        if let zlib = ZlibCompressor(coding: .gzip, level: 6) {
            data.withUnsafeBytes { zlib.add($0) }
            content.gzipped = zlib.finish()
        }
        return content
    }
}
