import Foundation
import HTTPWire
package import TrafficModel

/// Turns the entries of a HAR into the events that an observer would have reported.
///
/// All sizes come from the archive, so their evidence is `reported`; sizes that the archive lacks are unknown. The
/// events still contain secrets: send them through a pipeline, which redacts them.
package struct HARImport {
    /// How many entries were imported or left out.
    package struct Outcome: Hashable, Sendable {
        /// Entries that became exchanges.
        package var exchanges = 0
        /// Entries left out because they came from a cache: nothing passed over the wire.
        package var cached = 0
        /// Entries left out because their scheme is not one of HTTP.
        package var foreign = 0
    }

    /// How many bytes to keep of each uncompressed body.
    package var bodyLimit = 0

    private let process: ProcessIdentity
    private var outcome = Outcome()
    private var redirects = RedirectLinks()
    private var connections = ConnectionNumbers()

    /// Creates an import for an archive with these facts.
    package init(_ facts: HARReader.Facts) {
        let name = [facts.browser, facts.creator].first { !$0.isEmpty } ?? "har"
        process = ProcessIdentity(pid: 0, name: Self.oneLine(name))
    }

    /// Reads an archive to its end, and passes on each exchange.
    ///
    /// - Parameters:
    ///   - reader: the archive.
    ///   - record: receives the events, those of one exchange in one call.
    /// - Returns: the number of entries imported and left out.
    /// - Throws: ``HARFault``, or what the reader's source or `record` throws.
    package mutating func run(_ reader: HARReader, record: ([TrafficEvent]) throws -> Void) throws -> Outcome {
        _ = try reader.read { entry in
            if entry.isFromCache { return outcome.cached += 1 }
            guard let target = Self.target(entry.url, of: entry.method) else { return outcome.foreign += 1 }
            outcome.exchanges += 1
            try record(events(entry, target))
        }
        return outcome
    }

    private static func target(_ url: String, of method: String) -> RequestTarget? {
        guard var target = RequestTarget(url: url) else { return nil }
        switch target.scheme {
        case "http", "https": break
        // A WebSocket starts as an HTTP exchange.
        case "ws", "wss": target.scheme = target.scheme == "ws" ? "http" : "https"
        default: return nil
        }
        // RFC 9112, sections 3.2.3 and 3.2.4: the request targets for URLs without a path.
        if method == "CONNECT" {
            target.take(requestLineTarget: "\(target.host):\(target.port)", of: method)
        } else if method == "OPTIONS", !RequestTarget.namesPath(url) {
            target.take(requestLineTarget: "*", of: method)
        }
        return target
    }

    // MARK: Events

    private mutating func events(_ entry: HAREntry, _ target: RequestTarget) -> [TrafficEvent] {
        let id = ExchangeID(Int64(outcome.exchanges))
        let times = HARTimes(entry)
        let link = redirects.link(of: entry, id)
        let requestFields = Self.fields(entry.request.headers)
        let version = Self.version(entry.request.httpVersion, entry.response.httpVersion)
        let process = entry.own.map { own in
            ProcessIdentity(
                pid: Int32(clamping: own.pid ?? 0), name: own.process.map { Self.oneLine($0) } ?? self.process.name)
        }
        let line = "\(entry.method) \(target.path)\(target.query.map { "?\($0)" } ?? "") HTTP/1.1\r\n".utf8.count
        let body = HARBody(entry.request)
        var events: [TrafficEvent] = [
            .request(
                RequestRecord(
                    exchange: id, task: link.task, resendCount: link.resendCount, process: process ?? self.process,
                    startedAt: times.startedAt, sentAt: times.sentAt, method: Self.oneLine(entry.method),
                    scheme: target.scheme,
                    host: target.host, port: target.port, path: target.path, query: target.query,
                    httpVersion: version, fields: requestFields,
                    size: HARSize.size(
                        of: entry.request, parts: entry.own?.requestParts, startLine: Int64(line),
                        cookies: requestFields.size(ofLinesNamed: "cookie")),
                    bodyDigest: body.digest, capturedBody: body.kept(limit: bodyLimit, coding: requestFields.coding),
                    direction: entry.own?.direction == "served" ? .served : .called))
        ]
        if entry.status > 0 || entry.own?.responseParts != nil {
            events.append(.response(response(entry, id, times, version)))
        }
        let number = connections.number(of: entry, target)
        events.append(
            .end(
                ExchangeEnd(
                    exchange: id, endedAt: times.endedAt, outcome: HAROutcome.outcome(of: entry),
                    timings: times.timings, connection: number,
                    reusedConnection: entry.own?.reused ?? (number != nil && (entry.timings["connect"] ?? 0) == 0),
                    remoteAddress: entry.serverAddress.isEmpty
                        ? "" : Self.address(Self.oneLine(entry.serverAddress), target.port))))
        return events
    }

    private func response(
        _ entry: HAREntry, _ id: ExchangeID, _ times: HARTimes, _ version: String
    ) -> ResponseRecord {
        let fields = Self.fields(entry.response.headers)
        let type = fields.firstValue(of: "content-type") ?? entry.response.mimeType
        let media = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let body = HARBody(entry.response)
        let reason = Self.oneLine(entry.reason)
        // "HTTP/1.1 200 OK" and its line end.
        let line = 13 + reason.utf8.count + 2
        var message = entry.response
        // Of HTTP/2 responses, Chromium knows only the total received.
        if message.bodySize == nil, message.headersSize == nil { message.bodySize = entry.transferSize }
        return ResponseRecord(
            exchange: id, firstByteAt: times.firstByteAt, status: Int(entry.status), reason: reason,
            httpVersion: version, fields: fields,
            size: HARSize.size(
                of: message, parts: entry.own?.responseParts, startLine: Int64(line),
                cookies: fields.size(ofLinesNamed: "set-cookie")),
            decodedBody: entry.contentSize.map { .init(ByteCount($0), .reported) } ?? .unknown,
            contentType: media == "x-unknown" ? "" : String(media), contentEncoding: fields.coding,
            bodyDigest: body.digest, capturedBody: body.kept(limit: bodyLimit, coding: fields.coding))
    }

    // MARK: Texts

    /// The header lines; pseudo-fields of HTTP/2 belong to the request line and are left out.
    ///
    /// Firefox and Chromium join fields of the same name with line ends.
    private static func fields(_ headers: [HAREntry.Field]) -> FieldSection {
        var bytes: [UInt8] = []
        for field in headers where !field.name.isEmpty && !field.name.hasPrefix(":") {
            let name = oneLine(field.name)
            // Split bytes, not characters: CR LF is a single Character.
            for value in field.value.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
                bytes += Array("\(name): \(oneLine(String(Substring(value))))\r\n".utf8)
            }
        }
        return FieldSection(bytes: bytes)
    }

    /// Removes line ends and NUL, which would turn one text into several header fields.
    static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else { return text }
        return String(
            decoding: text.utf8.map { $0 == 0x0D || $0 == 0x0A || $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Our name for an HTTP version, which archives write as `HTTP/1.1`, `http/2.0`, `h2` or `h3`.
    private static func version(_ texts: String...) -> String {
        for text in texts {
            let name = text.lowercased()
            if name.hasPrefix("http/1.0") { return "1.0" }
            if name.hasPrefix("http/1") { return "1.1" }
            if name.hasPrefix("http/2") || name.hasPrefix("h2") { return "2" }
            if name.hasPrefix("http/3") || name.hasPrefix("h3") { return "3" }
        }
        return ""
    }

    private static func address(_ address: String, _ port: Int) -> String {
        let isBare = address.contains(":") && !address.hasPrefix("[")
        return isBare ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

extension FieldSection {
    /// The content coding in lower case; empty if there is none.
    fileprivate var coding: String {
        let coding = (firstValue(of: "content-encoding") ?? "").lowercased()
        return coding == "identity" ? "" : coding
    }
}
