import TrafficModel

/// Computes the size of a response from what an API shows of it.
struct ResponseEstimator {
    private let shown: ShownResponse
    private let profile: PlatformProfile
    private let isHTTP2: Bool
    private let isChunked: Bool
    private let length: BodyLength
    private let contentLength: Int64?

    init(_ shown: ShownResponse, profile: PlatformProfile) {
        self.shown = shown
        self.profile = profile
        isHTTP2 = shown.httpVersion?.isBinaryHTTP == true
        let section = FieldSection(
            bytes: shown.fields.filter { $0.isNamed("Transfer-Encoding") || $0.isNamed("Content-Length") }
                .flatMap { Array("\($0.name): \($0.value)\r\n".utf8) })
        var length = BodyLength.ofResponse(
            status: shown.status, to: shown.requestMethod, fields: section, isHTTP2: isHTTP2)
        if length != .none, !isHTTP2, profile.showsChunkedAsIdentity,
            shown.fields.contains(where: Self.isHiddenChunked)
        {
            length = .chunked
        }
        self.length = length
        isChunked = length == .chunked
        contentLength = section.contentLength
    }

    var estimate: Estimate {
        let body = body
        var parts = (startLine: startLine, fields: fields, cookies: cookies)
        if isHTTP2 {
            // With HPACK (RFC 7541) a line can have any size between one byte and a little more than its text.
            parts.startLine = Figure(parts.startLine.bytes, bound: nil, usualBound: parts.startLine.bytes)
            parts.fields.usualBound = parts.fields.bytes
            parts.cookies.usualBound = parts.cookies.bytes
        }
        return Estimate(
            startLine: parts.startLine, fields: parts.fields, cookies: parts.cookies, interim: interim, body: body,
            framing: framing(around: body))
    }

    // MARK: the start line and headers

    /// `HTTP-version SP status-code SP [ reason-phrase ] CRLF` (RFC 9112, section 4): the second space is sent even if
    /// no reason follows.
    private var startLine: Figure {
        let version = shown.httpVersion ?? "1.1"
        let line = Figure(Int64(version.utf8.count + String(shown.status).utf8.count) + 9)
        if let reason = shown.reason { return line + Figure(Int64(reason.utf8.count)) }
        // HTTP/2 has no reason phrase (RFC 9113, section 8.3.2).
        if isHTTP2 { return line.unbounded }
        return line + (ReasonPhrase.figure(for: shown.status) ?? Figure(0, bound: nil, usualBound: nil))
    }

    private var fields: Figure {
        // Hidden bytes can be of any size: padding, and fields whose names differ only in case and of which one is
        // shown.
        shown.fields.reduce(Figure(2)) { $0 + lines(of: $1) }.unbounded
    }

    private var cookies: Figure {
        shown.fields.filter { $0.isNamed("Set-Cookie") }.reduce(Figure(0)) { $0 + lines(of: $1) }.unbounded
    }

    /// The lines from which the loader made that field.
    private func lines(of field: ShownField) -> Figure {
        if profile.showsChunkedAsIdentity, Self.isHiddenChunked(field) {
            return Figure(ShownField(field.name, "chunked").lineSize)
        }
        // An empty value follows a colon and, if a server writes all lines alike, a space.
        if field.value.isEmpty { return Figure(field.lineSize, bound: nil, usualBound: 1) }
        // Each comma may have been a line end (RFC 9110, section 5.3). Then the wire had CRLF, a name, a colon and a
        // space, and the API shows a comma and a space.
        let perJoint = Int64(field.name.utf8.count) + 2
        let joints = JoinedValue.joints(in: field)
        return Figure(
            field.lineSize + perJoint.multipliedClamped(by: joints.sure), bound: nil,
            usualBound: perJoint.multipliedClamped(by: joints.possible))
    }

    /// Apple's loader decodes chunks, and then shows `Identity` as the coding.
    private static func isHiddenChunked(_ field: ShownField) -> Bool {
        field.isNamed("Transfer-Encoding") && field.value.equalsIgnoringCase("identity")
    }

    /// The interim responses before the final one (RFC 9110, section 15.2).
    private var interim: Figure {
        guard shown.requestExpectsContinue else { return Figure(0, bound: nil, usualBound: 0) }
        let size = Int64("HTTP/1.1 100 Continue\r\n\r\n".utf8.count)
        // A server that refuses sends its final response without the interim one (RFC 9110, section 10.1.1).
        return Figure(shown.status >= 400 ? 0 : size, bound: nil, usualBound: size)
    }

    // MARK: the content

    private var body: Figure {
        if case .wire(let count) = shown.body { return count >= 0 ? Figure(count) : .unknown }
        if length == .none { return Figure(0) }
        let declared: Figure? =
            if case .fixed(let count) = length, shown.isComplete { Figure(count) } else { nil }
        guard case .decoded(let decoded, let recompressed) = shown.body, decoded >= 0, !isHidden else {
            return declared?.unbounded ?? .unknown
        }
        // Counted bytes take precedence over the number in a field.
        if !isCoded { return shown.isComplete ? Figure(decoded) : Figure(decoded, bound: nil, usualBound: nil) }
        if let declared { return Figure(declared.bytes, bound: nil, usualBound: 0) }
        guard let recompressed, recompressed >= 0 else { return .unknown }
        // The server may use another level or another encoder: the size lies between almost nothing and stored blocks.
        let largest = decoded.addingClamped(decoded / 1_000).addingClamped(64)
        return Figure(
            recompressed, bound: nil, usualBound: max(recompressed, recompressed.distanceClamped(to: largest)))
    }

    /// Whether the loader shows none of the content (RFC 9110, section 15.4).
    private var isHidden: Bool {
        profile.hidesRedirectContent && (301...308).contains(shown.status)
            && shown.body == .decoded(0, recompressed: nil)
    }

    /// Whether the content was coded (RFC 9110, section 8.4).
    private var isCoded: Bool {
        shown.fields.contains { field in
            guard field.isNamed("Content-Encoding") else { return false }
            let codings = field.value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
            return codings.contains { !$0.isEmpty && !$0.equalsIgnoringCase("identity") }
        }
    }

    /// The framing of a chunked body (RFC 9112, section 7.1).
    private func framing(around body: Figure) -> Figure {
        guard let count = body.bytes else { return isChunked ? .unknown : Figure(0, bound: nil, usualBound: 0) }
        if isHTTP2 {
            return Figure(9 + (count / 16_384 + (count % 16_384 > 0 ? 1 : 0)) * 9, bound: nil, usualBound: nil)
        }
        guard isChunked else { return Figure(0, bound: nil, usualBound: 0) }
        // If a body was cut, the last chunk did not come, and the chunk before it may be cut anywhere. Then its size
        // line has up to 16 digits (RFC 9112, section 7.1, sets no limit, but Int64 does), or its line end is missing.
        let end = shown.isComplete ? PieceTally.end : 0
        let cut: Int64 = shown.isComplete ? 0 : 16
        guard count > 0 else { return Figure(end, bound: nil, usualBound: cut) }
        // The smallest framing is that of one chunk, the largest that of chunks of one byte.
        let least = PieceTally.framing(ofChunk: count) + end
        let most = count.multipliedClamped(by: 6).addingClamped(end)
        guard let pieces = shown.pieces, pieces.content == count else {
            return Figure(least, bound: nil, usualBound: least.distanceClamped(to: most).addingClamped(cut))
        }
        let size = pieces.framing.addingClamped(end)
        let largest = profile.keepsChunksApart ? size : most
        return Figure(
            size, bound: nil,
            usualBound: max(size.distanceClamped(to: least), size.distanceClamped(to: largest)).addingClamped(cut))
    }
}

extension Substring {
    fileprivate func equalsIgnoringCase(_ other: String) -> Bool { String(self).equalsIgnoringCase(other) }
}
