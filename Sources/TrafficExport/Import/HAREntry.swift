import TrafficModel

/// An entry of a HAR as it stands there; nil, or -1, where something is not known.
struct HAREntry {
    /// A field or a cookie.
    typealias Field = (name: String, value: String)

    /// The common part of both messages.
    struct Message {
        var httpVersion = ""
        var headers: [Field] = []
        var headersSize: Int64?
        var bodySize: Int64?
        /// The body as text; nil where there is none, or too much of it.
        var text: String?
        var isBase64 = false
        /// The media type that stands beside the text.
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
    /// The decoded size.
    var contentSize: Int64?
    /// All that came, where it is told as one number.
    var transferSize: Int64?
    var error = ""
    var isFromCache = false
    var serverAddress = ""
    var connection = ""
    /// The phases in milliseconds by their name; those that are not known are not in it.
    var timings: [String: Double] = [:]
    /// What this project's own exports know beyond the format.
    var own: Own?

    /// The members of `_wireweight`.
    struct Own {
        var pid: Int64?
        var process: String?
        /// The parts that are known; nil where there is no such message.
        var requestParts: [String: Int64]?
        var responseParts: [String: Int64]?
        var outcome: String?
        var errorCode: Int64?
        var errorDomain: String?
        var reused: Bool?
    }
}
