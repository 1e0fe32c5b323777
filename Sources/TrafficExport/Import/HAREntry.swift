import TrafficModel

/// An entry as the HAR has it; values that are not known are nil or -1.
struct HAREntry {
    /// A header field or a cookie.
    typealias Field = (name: String, value: String)

    /// The members that requests and responses share.
    struct Message {
        var httpVersion = ""
        var headers: [Field] = []
        var headersSize: Int64?
        var bodySize: Int64?
        /// The body as text; nil if there is none, or if it is too long.
        var text: String?
        var isBase64 = false
        /// The media type given with the text.
        var mimeType = ""
    }

    var startedAt: Timestamp?
    var time: Double?
    var method = ""
    var url = ""
    var request = Message()
    var response = Message()
    var status: Int64 = 0
    var reason = ""
    var redirectURL = ""
    /// The size of the decoded body, in bytes.
    var contentSize: Int64?
    /// All bytes received, if the archive gives them as one number.
    var transferSize: Int64?
    var error = ""
    var isFromCache = false
    var serverAddress = ""
    var connection = ""
    /// The phases in milliseconds, by name; unknown phases are absent.
    var timings: [String: Double] = [:]
    /// Facts beyond the format, which only this project's exports contain.
    var own: Own?

    /// The members of `_wireweight`.
    struct Own {
        var pid: Int64?
        var process: String?
        /// The known parts, in bytes; nil if there is no such message.
        var requestParts: [String: Int64]?
        var responseParts: [String: Int64]?
        var outcome: String?
        var errorCode: Int64?
        var errorDomain: String?
        var reused: Bool?
        var direction: String?
    }
}
