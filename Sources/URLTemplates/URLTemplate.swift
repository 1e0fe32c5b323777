internal import ASCIIBytes
internal import TrafficModel

/// Makes the templates that name an API from paths: `/users/42/posts` becomes `/users/{id}/posts`.
///
/// The user's own templates come first. Otherwise rules apply to each segment (``SegmentRules``); a segment that
/// matches no rule stays as it was sent. The template of a GraphQL request also has its operation:
/// `/graphql?operationName=Feed`. Braces in a template always mark parameters: those of a path are percent-encoded.
package struct URLTemplate: Hashable, Sendable {
    /// The largest size of a template in bytes; longer ones are cut and end in `/…`.
    package let limit: Int
    /// The user's own templates; the first that matches a path is its template.
    package let given: [TemplatePattern]

    /// Makes templates of at most `limit` bytes; the user's templates come first.
    package init(limit: Int = 512, given: [TemplatePattern] = []) {
        self.limit = max(16, limit)
        self.given = given
    }

    /// The user's template that matches that path; nil if none does.
    package func givenTemplate(of path: String) -> String? {
        given.isEmpty ? nil : TemplatePattern.first(of: given, matching: path)
    }

    /// The template of a path, made by the rules.
    ///
    /// - Parameters:
    ///   - path: as sent, without its query; `*`, and the authority of CONNECT, are their own templates.
    ///   - query: as sent; used only for the operation of a GraphQL request.
    ///   - method: the method of the request.
    /// - Returns: at most ``limit`` bytes; `/` for an empty path.
    package func template(of path: String, query: String? = nil, method: String = "") -> String {
        if RequestRecord.targetForm(method: method, path: path) == .authority { return authority(path) }
        let template = template(ofPath: path)
        guard let query, let operation = GraphQLOperation.name(in: query, path: path) else { return template }
        let whole = template + "?operationName=" + operation
        return whole.utf8.count <= limit ? whole : template
    }

    /// The authority without user info, which it must not have (RFC 9112, section 3.2.3).
    private func authority(_ target: String) -> String {
        let bytes = target.utf8
        let host = bytes.lastIndex(of: UInt8(ascii: "@")).map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
        let text = SegmentRules.escapingBraces(Array(host.prefix(limit))).lowercased()
        return text.utf8.count <= limit ? text : TemplateLimits.overflow
    }

    private func template(ofPath path: String) -> String {
        if path.isEmpty { return "/" }
        let bytes = path.utf8
        var template = ""
        template.reserveCapacity(min(bytes.count, limit))
        var start = bytes.startIndex
        var before: Substring = ""
        var isFirst = true
        while true {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
            let segment = path[start..<end]
            let isVersion =
                segment.utf8.count == 1
                && Self.isVersion(segment, behind: before, next: bytes[end...].dropFirst().first)
            let part = isVersion ? nil : SegmentRules.template(of: segment)
            let room = limit - template.utf8.count - (isFirst ? 0 : 1)
            // Five bytes are reserved for the mark.
            if (part?.utf8.count ?? segment.utf8.count) > room - 5 {
                // The segment alone may be too long, in a path that does not begin with a slash.
                return template + "/…"
            }
            if !isFirst { template += "/" }
            if let part { template += part } else { template += segment }
            guard end < bytes.endIndex else { return template }
            isFirst = false
            before = segment
            start = bytes.index(after: end)
        }
    }

    /// Whether a single digit is the version of an API: at the start of the path or after `api`, and before a word, as
    /// in `/3/movie`.
    private static func isVersion(_ segment: Substring, behind before: Substring, next: UInt8?) -> Bool {
        guard before.isEmpty || before == "api", let next, let digit = segment.utf8.first else { return false }
        return ASCII.isDigit(digit) && ASCII.isLetter(next)
    }
}
