internal import ASCIIBytes
package import TrafficModel

/// Replaces secrets in records before anything is stored or shown.
///
/// Sizes are in the records' `WireSize` and stay exact.
///
/// These are replaced:
/// - the values of Authorization, Proxy-Authorization, Cookie and Set-Cookie, except the scheme, the names of cookies
///   and known attributes;
/// - the values of all fields, query items and path parameters whose name is secret by ``SecretNames``;
/// - user info in URLs;
/// - a path segment that looks like a token, after one with a secret name (`/reset-password/9f…`);
/// - tokens of a known kind, anywhere (``KnownTokens``);
/// - a whole line that is no field.
///
/// In bodies that are kept, secrets are covered: see ``BodyRedactor``.
package struct Redactor: Hashable, Sendable {
    let names: SecretNames
    private let bodies: BodyRedactor?

    /// A redactor for values that are always secret, and for those of secret names.
    ///
    /// - Parameters:
    ///   - names: the secret names.
    ///   - keepsBodySecrets: whether kept bodies stay as they were sent.
    package init(names: SecretNames = SecretNames(), keepsBodySecrets: Bool = false) {
        self.names = names
        bodies = keepsBodySecrets ? nil : BodyRedactor(names: names)
    }

    /// Replaces the secrets of a request, whose template must already be set.
    package func redact(_ request: inout RequestRecord) {
        redactTarget(of: &request)
        redactBody(of: &request)
        request.fields = redacted(request.fields)
    }

    /// Replaces the secrets in a request's path, query, template and host.
    func redactTarget(of request: inout RequestRecord) {
        if request.targetForm == .authority, let at = request.path.utf8.lastIndex(of: UInt8(ascii: "@")) {
            request.path = String(request.path[request.path.utf8.index(after: at)...])
        }
        request.path = text(request.path, .path)
        request.template = text(request.template, .template)
        request.query = request.query.map { text($0, .query) }
        if let at = request.host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            request.host = String(request.host[request.host.utf8.index(after: at)...])
        }
    }

    /// Covers the secrets in a request's kept body, whose headers are still as they were sent.
    func redactBody(of request: inout RequestRecord) {
        guard let bodies, let body = request.capturedBody else { return }
        request.capturedBody = bodies.redacted(
            body, type: request.fields.firstValue(of: "content-type") ?? "",
            coding: request.fields.firstValue(of: "content-encoding") ?? "")
    }

    /// Replaces the secrets of a response.
    package func redact(_ response: inout ResponseRecord) {
        redactBody(of: &response)
        redactReason(of: &response)
        response.fields = redacted(response.fields)
    }

    /// Replaces the secrets in a response's reason phrase.
    func redactReason(of response: inout ResponseRecord) { response.reason = text(response.reason, .text) }

    /// Covers the secrets in a response's kept body.
    func redactBody(of response: inout ResponseRecord) {
        guard let bodies, let body = response.capturedBody else { return }
        response.capturedBody = bodies.redacted(body, type: response.contentType, coding: response.contentEncoding)
    }

    /// Replaces the secrets in the message of an error, which may quote the URL.
    package func redact(_ end: inout ExchangeEnd) {
        guard var failure = end.outcome.failure else { return }
        failure.message = text(failure.message, .text)
        end.outcome = .failed(failure)
    }

    /// Replaces the secrets in what a program says of its device.
    func redact(_ device: inout DeviceName) {
        if device.source == .agent { device.name = text(device.name, .text) }
    }

    /// The section with its secrets replaced, line by line; line ends and folds around a value stay.
    package func redacted(_ section: FieldSection) -> FieldSection {
        var known = CleanLines(places: 0)
        var section = section
        redact(&section, &known)
        return section
    }

    /// Replaces the secrets of a section; lines that are known to hold none are not looked at again.
    ///
    /// No secret reaches over the end of a line: not even a token of a known kind, which has no line feed.
    func redact(_ section: inout FieldSection, _ known: inout CleanLines) {
        let bytes = section.bytes
        var result: [UInt8] = []
        var copied = 0
        bytes.withUnsafeBufferPointer { all in
            var start = 0
            while start < all.count {
                let end = FieldSection.lineEnd(from: start, in: all)
                let line = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[start..<end]))
                let place = known.place(of: line)
                if let place, known.holds(line, at: place) {
                    // Nothing to replace.
                } else if let replaced = replaced(start..<end, of: bytes) {
                    result += all[copied..<start]
                    result += replaced
                    copied = end
                } else if let place {
                    known.keep(line, at: place)
                }
                start = end
            }
        }
        if copied > 0 { section = FieldSection(bytes: result + bytes[copied...]) }
    }

    /// A line with its secrets replaced; nil if it holds none.
    private func replaced(_ range: Range<Int>, of bytes: [UInt8]) -> [UInt8]? {
        var redactions = Redactions()
        line(range, of: bytes, into: &redactions)
        guard !redactions.isEmpty else {
            let hasToken = bytes.withUnsafeBufferPointer { bytes in
                KnownTokens.hasToken(in: UnsafeBufferPointer(rebasing: bytes[range]))
            }
            return hasToken ? withoutTokens(Array(bytes[range]), .url) : nil
        }
        let replaced = redactions.applied(to: bytes, in: range)
        return withoutTokens(replaced, .url) ?? replaced
    }

    /// The bytes with tokens of known kinds replaced; nil if there are none.
    private func withoutTokens(_ bytes: [UInt8], _ mark: Redactions.Mark) -> [UInt8]? {
        let ranges = bytes.withUnsafeBufferPointer { KnownTokens.ranges(in: $0) }
        if ranges.isEmpty { return nil }
        var redactions = Redactions()
        for range in ranges { redactions.replace(range, with: mark) }
        return redactions.applied(to: bytes)
    }

    private func text(_ text: String, _ context: SecretScanner.Context) -> String {
        // All tokens are longer than that.
        guard
            text.utf8.count > 12 || text.utf8.contains(where: { $0 == 0x3D || $0 == 0x2F || $0 == 0x25 || $0 == 0x22 })
        else { return text }
        let bytes = Array(text.utf8)
        var redactions = Redactions()
        SecretScanner(names: names, context: context).scan(bytes, in: 0..<bytes.count, into: &redactions)
        let scanned = redactions.isEmpty ? bytes : redactions.applied(to: bytes)
        let result = withoutTokens(scanned, context == .template ? .template : .url)
        return redactions.isEmpty && result == nil ? text : String(decoding: result ?? scanned, as: UTF8.self)
    }

    // MARK: Lines

    private func line(_ range: Range<Int>, of bytes: [UInt8], into redactions: inout Redactions) {
        let content = FieldName.trimmed(range, of: bytes)
        if content.isEmpty { return }
        // A pseudo-field of HTTP/2 begins with a colon, which is part of its name.
        let nameStart = bytes[content.lowerBound] == UInt8(ascii: ":") ? content.lowerBound + 1 : content.lowerBound
        guard let colon = bytes[nameStart..<content.upperBound].firstIndex(of: UInt8(ascii: ":")) else {
            return redactions.replace(content, with: .text)
        }
        let name = bytes[FieldName.trimmed(content.lowerBound..<colon, of: bytes)]
        guard FieldName.isToken(name) else { return redactions.replace(content, with: .text) }
        let value = FieldName.trimmed((colon + 1)..<content.upperBound, of: bytes)
        if value.isEmpty { return }
        if FieldName.equals(name, "cookie") {
            cookies(value, of: bytes, into: &redactions)
        } else if FieldName.equals(name, "set-cookie") {
            setCookie(value, of: bytes, into: &redactions)
        } else if FieldName.equals(name, "authorization") || FieldName.equals(name, "proxy-authorization") {
            credentials(value, of: bytes, into: &redactions)
        } else if names.contains(name) || isDoubtful(bytes[value]) {
            redactions.replace(value, with: .text)
        } else {
            SecretScanner(names: names, context: .text).scan(bytes, in: value, into: &redactions)
        }
    }

    /// Whether a value may contain other fields: after a bare CR, which some parsers take for the end of a line, or in
    /// a continuation, which is a field with a stray space before it.
    private func isDoubtful(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.firstIndex(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else { return false }
        let isFold = value[first] == 0x0A || (value[first] == 0x0D && value[first...].dropFirst().first == 0x0A)
        let hasBareReturn = zip(value[first...], value[first...].dropFirst()).contains { $0 == 0x0D && $1 != 0x0A }
        return !isFold || hasBareReturn || names.contains(value)
    }

    /// Keeps a known scheme (RFC 9110, section 11.4) and replaces the rest: an unknown first word may be the secret.
    private func credentials(_ value: Range<Int>, of bytes: [UInt8], into redactions: inout Redactions) {
        let schemeEnd = bytes[value].firstIndex(where: ASCII.isSpaceOrControl) ?? value.upperBound
        let scheme = String(decoding: bytes[value.lowerBound..<schemeEnd], as: UTF8.self).lowercased()
        guard Self.schemes.contains(scheme) else { return redactions.replace(value, with: .text) }
        redactions.replace(FieldName.trimmed(schemeEnd..<value.upperBound, of: bytes), with: .text)
    }

    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth", "privatetoken",
        "scram-sha-1", "scram-sha-256", "vapid", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "hawk", "token",
        "apikey", "sharedkey", "sharedkeylite", "googlelogin", "signature",
    ]
}
