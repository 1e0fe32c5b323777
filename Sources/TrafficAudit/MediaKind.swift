/// The kind of content that a media type names.
enum MediaKind: String, Hashable, CaseIterable {
    case json = "JSON"
    case html = "HTML"
    case css = "CSS"
    case script = "JavaScript"
    case xml = "XML"
    case text = "text"
    case form = "form data"
    case image = "an image"
    case media = "audio or video"
    case other = "other content"

    /// The kind of a media type, given without parameters and in lower case; nil if it is empty.
    init?(_ type: String) {
        if type.isEmpty { return nil }
        if type.hasSuffix("+json") {
            self = .json
        } else if type.hasSuffix("+xml") {
            // SVG, too: an image by name, but text on the wire.
            self = type == "application/xhtml+xml" ? .html : .xml
        } else if type.hasPrefix("image/") {
            self = .image
        } else if type.hasPrefix("audio/") || type.hasPrefix("video/") {
            self = .media
        } else {
            switch type {
            case "application/json", "application/x-ndjson", "application/jsonl", "application/graphql-response":
                self = .json
            case "text/html": self = .html
            case "text/css": self = .css
            case "application/javascript", "text/javascript", "application/x-javascript", "application/ecmascript":
                self = .script
            case "application/xml", "text/xml": self = .xml
            case "application/x-www-form-urlencoded": self = .form
            // An event stream is flushed after each event; compressing it delays events.
            case "text/event-stream": self = .other
            default: self = type.hasPrefix("text/") ? .text : .other
            }
        }
    }

    /// Whether it is text, which compresses well.
    var isText: Bool {
        switch self {
        case .json, .html, .css, .script, .xml, .text, .form: true
        case .image, .media, .other: false
        }
    }
}
