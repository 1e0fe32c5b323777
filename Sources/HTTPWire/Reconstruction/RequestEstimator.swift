import TrafficModel

/// Computes the size of a request from what an API shows of it.
struct RequestEstimator {
    private let shown: ShownRequest
    private let profile: PlatformProfile
    private let target: RequestTarget?
    private let fields: SentFields
    private let isHTTP2: Bool

    init(_ shown: ShownRequest, profile: PlatformProfile) {
        self.shown = shown
        self.profile = profile
        target = RequestTarget(url: shown.url)
        fields = SentFields(shown, profile: profile)
        isHTTP2 = shown.httpVersion.isBinaryHTTP
    }

    var estimate: Estimate {
        let (body, framing) = content
        var parts = (startLine: startLine, fields: fieldSection, cookies: fields.cookies, framing: framing)
        if isHTTP2 || !profile.isProven {
            // With HPACK (RFC 7541) a line can have any size between one byte and a little more than its text.
            parts.startLine = loosened(parts.startLine)
            parts.fields = loosened(parts.fields)
            parts.cookies = loosened(parts.cookies)
            parts.framing = loosened(parts.framing)
        }
        return Estimate(
            startLine: parts.startLine, fields: parts.fields, cookies: parts.cookies, interim: Figure(0), body: body,
            framing: parts.framing)
    }

    private func loosened(_ figure: Figure) -> Figure {
        Figure(figure.bytes, bound: nil, usualBound: isHTTP2 ? figure.bytes : figure.usualBound)
    }

    // MARK: the request line

    /// `method SP request-target SP HTTP-version CRLF` (RFC 9112, section 3).
    private var startLine: Figure {
        let frame = Int64(shown.method.utf8.count + shown.httpVersion.utf8.count) + 9
        return Figure(frame) + requestTarget
    }

    private var requestTarget: Figure {
        if shown.targetForm == .asterisk { return Figure(1) }
        guard let target else { return .unknown }
        let path = WireText(profile.resolvesDotSegments ? DotSegments.removed(from: target.path) : target.path)
        let query = target.query.map(WireText.init)
        let resource = path.figure + (query.map { Figure(1) + $0.figure } ?? Figure(0))
        switch shown.targetForm {
        case .origin: return resource
        case .absolute: return Figure(Int64(target.scheme.utf8.count) + 3) + authority(of: target) + resource
        case .authority: return tunnelAuthority(of: target)
        case .asterisk: return Figure(1)
        }
    }

    /// The host, and the port if it is not the scheme's default (RFC 9110, section 7.2).
    private func authority(of target: RequestTarget) -> Figure {
        let isDefault = target.port == (target.scheme == "https" ? 443 : 80)
        let host = Figure(Int64(target.host.utf8.count + (isDefault ? 0 : 1 + String(target.port).utf8.count)))
        // The Host line has other bytes if the name is not ASCII yet, or the address has a zone.
        let isPlain = target.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
        return isPlain ? host : Figure(host.bytes, bound: nil, usualBound: nil)
    }

    /// The host and always the port (RFC 9112, section 3.2.3).
    private func tunnelAuthority(of target: RequestTarget) -> Figure {
        Figure(Int64(target.host.utf8.count + 1 + String(target.port).utf8.count))
    }

    // MARK: the fields

    private var fieldSection: Figure {
        var sum = Figure(2) + fields.lines
        if shown.targetForm == .authority { return sum + line("Host", target.map(tunnelAuthority) ?? .unknown) }
        if !fields.names("Host") { sum = sum + line("Host", target.map(authority) ?? .unknown) }
        for line in addedLines { sum = sum + line }
        return sum
    }

    private func line(_ name: String, _ value: Figure) -> Figure { Figure(Int64(name.utf8.count) + 4) + value }

    private func line(_ name: String, _ value: String) -> Figure { Figure(ShownField(name, value).lineSize) }

    private var addedLines: [Figure] {
        var lines: [Figure] = []
        if profile.sendsURLCredentials, !fields.names("Authorization"), let count = UserInfo(url: shown.url)?.count {
            // Basic and the credentials in base64 (RFC 7617, section 2).
            lines.append(Figure(Int64("Authorization: Basic \r\n".utf8.count) + (count + 2) / 3 * 4))
        }
        if let lengthLine { lines.append(lengthLine) }
        if isChunked, !isHTTP2, !fields.names("Transfer-Encoding") {
            lines.append(line("Transfer-Encoding", "chunked"))
        }
        if isStream, shown.isStreamedUpload, profile.streamsExpectContinue, !isHTTP2,
            shown.httpVersion != "1.0", !fields.names("Expect")
        {
            lines.append(line("Expect", "100-continue"))
        }
        let isTyped =
            shown.fields.contains { $0.isNamed("Content-Type") }
            || (!profile.overlooksSessionType && fields.names("Content-Type"))
        if shown.method == "POST", shown.holdsBody || isStream, !isTyped {
            lines.append(Figure(Int64(profile.untypedLine.utf8.count) + 2))
        }
        return lines
    }

    private var lengthLine: Figure? {
        if fields.names("Content-Length") || isChunked { return nil }
        func sized(_ length: Int64) -> Figure { line("Content-Length", String(length)) }
        switch shown.body {
        case .none:
            switch profile.emptyLength {
            case .allButGETAndHEAD: return shown.method == "GET" || shown.method == "HEAD" ? nil : sized(0)
            case .wherePossible:
                if shown.method == "POST" || shown.method == "PUT" { return sized(0) }
                if shown.method == "GET" || shown.method == "HEAD" { return nil }
                return Figure(0, bound: sized(0).bytes, usualBound: sized(0).bytes)
            }
        case .length(let length) where length >= 0: return sized(length)
        case .length: return Figure(sized(0).bytes, bound: 18, usualBound: 18)
        case .stream: return nil
        }
    }

    // MARK: the content

    /// Whether the content goes in chunks (RFC 9112, section 7.1).
    private var isChunked: Bool {
        if fields.namesChunked { return true }
        return isStream && (profile.chunksSizedStreams || !fields.names("Content-Length"))
    }

    private var isStream: Bool { if case .stream = shown.body { true } else { false } }

    private var content: (body: Figure, framing: Figure) {
        let body: Figure
        switch shown.body {
        case .none: body = Figure(0)
        case .length(let length): body = length >= 0 ? Figure(length) : .unknown
        case .stream(let length, let counted):
            if let counted, counted >= 0 {
                body = Figure(counted)
            } else if let length, length >= 0 {
                // A stream may hold more or less than it claims.
                body = Figure(length, bound: nil, usualBound: 0)
            } else {
                body = .unknown
            }
        }
        guard let count = body.bytes else { return (body, isChunked || isHTTP2 ? .unknown : Figure(0)) }
        if isHTTP2 {
            // A HEADERS frame and DATA frames of the usual size (RFC 9113, sections 4.1 and 4.2).
            return (body, Figure(9 + (count / 16_384 + (count % 16_384 > 0 ? 1 : 0)) * 9, bound: nil, usualBound: nil))
        }
        guard isChunked else { return (body, Figure(0)) }
        let framing = PieceTally.framing(of: count, inChunksOf: profile.uploadChunk)
        // Chunks are as large as the stream's reads: usually a full buffer, at worst one byte each.
        let worst = count.multipliedClamped(by: 6).addingClamped(PieceTally.end)
        return (
            body,
            Figure(
                framing, bound: !isStream ? 0 : body.bound == 0 ? framing.distanceClamped(to: worst) : nil,
                usualBound: 0)
        )
    }
}
