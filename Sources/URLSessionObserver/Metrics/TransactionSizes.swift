internal import Foundation
internal import HTTPWire
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The sizes of a transaction's messages by the system's counts.
///
/// The count of a head is of its start line and its fields together. They are separated where the start line and the
/// fields that the system shows come to the count, to the byte; otherwise the part `fields` holds both, and the start
/// line counts as 0, which it has in HTTP/2 and HTTP/3. The count of a body is of content and framing together. They are
/// separated where another count is that of the content alone; otherwise the part `body` holds both, and the framing
/// counts as 0. Cookies are estimated from the fields that the system shows. They are inside another part, so the
/// estimate changes no total.
enum TransactionSizes {
    static func request(_ transaction: any TransactionMetrics, httpVersion: String) -> WireSize {
        let shown = ShownRequest(
            method: transaction.request.httpMethod ?? "GET", url: transaction.request.url?.absoluteString ?? "",
            httpVersion: httpVersion,
            fields: (transaction.request.allHTTPHeaderFields ?? [:]).map { ShownField($0.key, $0.value) })
        // The system may add cookies that it does not show, so none shown does not mean that none were sent.
        let showsCookies = transaction.request.value(forHTTPHeaderField: "Cookie") != nil
        let wasSent = transaction.requestEndDate != nil && transaction.response != nil
        let head = transaction.countOfRequestHeaderBytesSent
        return size(
            transaction, head: head, startLine: Reconstruction.startLine(of: shown, within: head, profile: profile),
            body: transaction.countOfRequestBodyBytesSent,
            content: wasSent ? transaction.countOfRequestBodyBytesBeforeEncoding : -1,
            cookies: showsCookies ? Reconstruction.request(shown, profile: profile).size.cookies : .unknown)
    }

    static func response(
        _ transaction: any TransactionMetrics, httpVersion: String, isComplete: Bool
    ) -> WireSize {
        let response = transaction.response as? HTTPURLResponse
        let shown = response.map { head in
            ShownResponse(
                status: head.statusCode, httpVersion: httpVersion.isEmpty ? nil : httpVersion,
                fields: head.shownFields.map { ShownField($0.key, $0.value) })
        }
        // What a program got of coded content is not what was sent.
        let isCoded = response.map { !FieldSection(shown: $0.shownFields).contentCoding.isEmpty } ?? true
        let head = transaction.countOfResponseHeaderBytesReceived
        return size(
            transaction, head: head,
            startLine: shown.flatMap { Reconstruction.startLine(of: $0, within: head, profile: profile) },
            body: transaction.countOfResponseBodyBytesReceived,
            content: isComplete && !isCoded ? transaction.countOfResponseBodyBytesAfterDecoding : -1,
            cookies: shown.map { Reconstruction.response($0, profile: profile).size.cookies } ?? .unknown)
    }

    // The count of the content alone is -1 if it is not known. Cookies are an estimate of their lines as text.
    private static func size(
        _ transaction: any TransactionMetrics, head: Int64, startLine: Int64?, body: Int64, content: Int64,
        cookies: WireSize.Part
    ) -> WireSize {
        if transaction.wasSeenByNobody { return .unknown }
        let none = WireSize.Part(.zero, .reported)
        if transaction.fetchType == .cache {
            return WireSize(startLine: none, fields: none, cookies: none, interim: none, body: none, framing: none)
        }
        let line = startLine ?? 0
        let fields = WireSize.Part(reported: head - line)
        let framing = framing(of: body, content: content)
        return WireSize(
            startLine: WireSize.Part(reported: line), fields: fields, cookies: within(fields, cookies), interim: none,
            body: framing == nil ? WireSize.Part(reported: body) : WireSize.Part(reported: content),
            framing: framing.map(WireSize.Part.init(reported:)) ?? none)
    }

    /// HPACK and QPACK make lines smaller than their text, and cookies are a part of the fields.
    private static func within(_ fields: WireSize.Part, _ cookies: WireSize.Part) -> WireSize.Part {
        guard fields.evidence != .unknown, cookies.evidence != .unknown else { return .unknown }
        return WireSize.Part(min(cookies.bytes, fields.bytes), .reconstructed)
    }

    /// The bytes around the content; nil if the two counts cannot be of the same body.
    ///
    /// A program may not get the content of a redirect or a challenge, or give a stream whose length the system does
    /// not know: then the content's count is 0. Most framing is that of frames of one byte with nine bytes each (RFC
    /// 9113, section 4.1); a chunk of one byte has five (RFC 9112, section 7.1).
    private static func framing(of body: Int64, content: Int64) -> Int64? {
        guard content > 0, body >= content else { return nil }
        let framing = body - content
        return framing / 9 <= content ? framing : nil
    }

    /// Cookies depend on no profile, but an estimate needs one.
    private static let profile = PlatformProfile.apple(userAgent: "", languages: "", isSecure: true)
}

extension WireSize.Part {
    /// A count of the system; unknown if it is below 0.
    init(reported count: Int64) {
        self = count < 0 ? .unknown : WireSize.Part(ByteCount(count), .reported)
    }
}
