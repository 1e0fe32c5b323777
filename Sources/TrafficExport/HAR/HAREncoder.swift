import TextFormats
package import TrafficModel
import TrafficReports

/// Writes HTTP Archive 1.2, one entry a line.
///
/// Facts that the format has no member for are in `_wireweight`, under the names of `exchanges --format ndjson`.
package struct HAREncoder: ExchangeEncoder {
    private let includesBodies: Bool
    private var isFirst = true

    /// Creates an encoder that includes kept bodies or leaves them out.
    package init(includesBodies: Bool) { self.includesBodies = includesBodies }

    /// The start of the archive, up to its first entry.
    package mutating func begin() -> String {
        let creator = JSONValue.object([
            .init("name", .string(Producer.name)), .init("version", .string(Producer.version)),
        ])
        return "{\"log\":{\"version\":\"1.2\",\"creator\":\(creator.compact),\"entries\":["
    }

    /// The entry of one exchange.
    package mutating func encode(_ exchange: StoredExchange) -> String {
        defer { isFirst = false }
        return (isFirst ? "\n" : ",\n") + Self.entry(exchange, includesBodies).compact
    }

    /// The text that closes the archive.
    package mutating func end() -> String { "\n]}}\n" }

    private static let ownMembers: Set = [
        "exchange", "task", "resendCount", "pid", "process", "startedAt", "sentAt", "endedAt", "template", "request",
        "response", "outcome", "error", "errorCode", "errorDomain", "failed", "timings", "connection", "reused",
        "overhead", "packetHeaders", "network", "direction",
    ]

    private static func entry(_ exchange: StoredExchange, _ includesBodies: Bool) -> JSONValue {
        let timings = HARTimings(exchange)
        var members: [JSONValue.Member] = [
            .init("startedDateTime", .string(exchange.request.startedAt.iso8601)),
            .init("time", .milliseconds(timings.sum)),
            .init("request", request(exchange.request, includesBodies)),
            .init("response", response(exchange, includesBodies)),
            .init("cache", .object([])),
            .init("timings", timings.json),
        ]
        // The peer of a server is the client.
        if exchange.request.direction == .called, let peer = exchange.peer {
            members.append(.init("serverIPAddress", .string(peer.address)))
        }
        if let connection = exchange.connection {
            members.append(.init("connection", .string(String(connection.rawValue))))
        }
        members.append(.init("_wireweight", ExchangeLine(exchange).members(named: ownMembers)))
        return .object(members)
    }

    private static func request(_ request: RequestRecord, _ includesBodies: Bool) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("method", .string(request.method)),
            .init("url", .string(request.url)),
            .init("httpVersion", .string(version(request.httpVersion))),
            .init("cookies", .array(request.fields.cookiePairs.map { pair($0.name, $0.value) })),
            .init("headers", headers(request.fields)),
            .init("queryString", .array(query(request.query))),
        ]
        if includesBodies, let body = request.capturedBody, !body.isEmpty {
            let content = KeptContent(
                body, coding: request.fields.firstValue(of: "content-encoding") ?? "", size: request.size.body)
            let type = request.fields.firstValue(of: "content-type") ?? "application/octet-stream"
            members.append(
                .init(
                    "postData",
                    .object(
                        // HAR has no member for the encoding of binary request content; this one is our own.
                        [.init("mimeType", .string(type)), .init("text", .string(content.text ?? ""))]
                            + content.members(encodingName: "_encoding"))))
        }
        members += [
            .init("headersSize", .integer(request.size.head ?? -1)),
            .init("bodySize", .integer(request.size.body.known ?? -1)),
        ]
        return .object(members)
    }

    /// The response; if none came, what Chromium writes then: status 0 and `_error`.
    private static func response(_ exchange: StoredExchange, _ includesBodies: Bool) -> JSONValue {
        let response = exchange.response
        let fields = response?.fields ?? FieldSection()
        var members: [JSONValue.Member] = [
            .init("status", .integer(Int64(response?.status ?? 0))),
            .init("statusText", .string(response?.reason ?? "")),
            .init("httpVersion", .string(version(response?.httpVersion ?? ""))),
            .init("cookies", .array(fields.setCookies.map(cookie))),
            .init("headers", headers(fields)),
            .init("content", content(response, includesBodies)),
            .init("redirectURL", .string(fields.firstValue(of: "location") ?? "")),
            .init("headersSize", .integer(response?.size.head ?? -1)),
            .init("bodySize", .integer(response?.size.body.known ?? -1)),
        ]
        // Chromium's own member: everything received, including headers and framing.
        if let total = response?.size.total { members.append(.init("_transferSize", .integer(total.bytes))) }
        if let trouble = exchange.trouble { members.append(.init("_error", .string(trouble))) }
        return .object(members)
    }

    private static func content(_ response: ResponseRecord?, _ includesBodies: Bool) -> JSONValue {
        guard let response else {
            return .object([.init("size", .integer(0)), .init("mimeType", .string("x-unknown"))])
        }
        let body = response.size.body.known
        let decoded = response.decodedBody.known ?? (response.contentEncoding.isEmpty ? body : nil)
        var members: [JSONValue.Member] = [.init("size", .integer(decoded ?? -1))]
        if let decoded, let body, !response.contentEncoding.isEmpty {
            members.append(.init("compression", .integer(decoded - body)))
        }
        let type = response.fields.firstValue(of: "content-type") ?? response.contentType
        members.append(.init("mimeType", .string(type.isEmpty ? "x-unknown" : type)))
        if includesBodies, let bytes = response.capturedBody, !bytes.isEmpty {
            let content = KeptContent(bytes, coding: response.contentEncoding, size: response.size.body)
            if let text = content.text { members.append(.init("text", .string(text))) }
            members += content.members(encodingName: "encoding")
        }
        return .object(members)
    }

    // MARK: Parts

    private static func version(_ version: String) -> String { version.isEmpty ? "unknown" : "HTTP/\(version)" }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        .object([.init("name", .string(name)), .init("value", .string(value))])
    }

    private static func headers(_ fields: FieldSection) -> JSONValue {
        .array(fields.pairs.map { pair($0.name, $0.value) })
    }

    /// The query items as they were sent, with their percent-encoding.
    private static func query(_ query: String?) -> [JSONValue] {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private static func cookie(_ parts: [(name: String, value: String)]) -> JSONValue {
        guard let first = parts.first else { return pair("", "") }
        var members: [JSONValue.Member] = [.init("name", .string(first.name)), .init("value", .string(first.value))]
        for attribute in parts.dropFirst() {
            switch attribute.name.lowercased() {
            case "path": members.append(.init("path", .string(attribute.value)))
            case "domain": members.append(.init("domain", .string(attribute.value)))
            case "httponly": members.append(.init("httpOnly", .bool(true)))
            case "secure": members.append(.init("secure", .bool(true)))
            default: continue
            }
        }
        return .object(members)
    }
}
