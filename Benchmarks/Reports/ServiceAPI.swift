import TrafficModel

/// One of the APIs of ``ServiceTraffic``: the properties that all of its exchanges share.
struct ServiceAPI {
    /// The kind of content in an API's responses.
    enum Content: CaseIterable {
        case json, html, image, script, binary

        var type: String {
            switch self {
            case .json: "application/json"
            case .html: "text/html"
            case .image: "image/webp"
            case .script: "text/javascript"
            case .binary: "application/octet-stream"
            }
        }
    }

    let method: String
    let host: String
    let template: String
    let content: Content
    /// The value of `Content-Encoding`; empty if there is none.
    let coding: String
    let process: ProcessIdentity
    /// The number of different resources; with few, the same ones are requested repeatedly.
    let things: Int64
    /// The median size of a decoded body in bytes.
    let size: Double
    /// The decoded size divided by the encoded size.
    let ratio: Double
    /// The median wait for the first byte, in nanoseconds.
    let wait: Double
    /// Whether the API sends validators, and its clients use them.
    let hasValidators: Bool
    let requestFields: [UInt8]
    let requestCookies: Int
    /// The header lines that all responses of the API start with.
    let responseFields: [UInt8]
    let setsCookie: Bool

    /// Makes the API of a given number with random properties.
    init(_ number: Int, _ chance: inout Chance) {
        let nouns = ["users", "posts", "orders", "items", "events", "carts", "media", "tags", "teams", "search"]
        let noun = nouns[number % nouns.count]
        let shapes = [
            "/v1/\(noun)/{id}", "/v1/\(noun)", "/v2/\(noun)/{id}/details", "/\(noun)/{id}/history/{id}",
            "/api/\(noun)/recent",
        ]
        method = ["GET", "GET", "GET", "GET", "GET", "GET", "GET", "POST", "POST", "PUT"][Int(chance.number(0...9))]
        host = "\(["api", "cdn", "www", "auth"][number % 4])\(number / 4 % 10).example.com"
        template = "/s\(number)" + shapes[Int(chance.number(0...4))]
        let isRead = method == "GET"
        let contents: [Content] = [.json, .json, .json, .json, .json, .json, .html, .image, .script, .binary]
        content = isRead ? contents[Int(chance.number(0...9))] : .json
        let isText = content != .image && content != .binary
        coding = isText && chance.happens(0.8) ? (chance.happens(0.85) ? "gzip" : "br") : ""
        process = ProcessIdentity(pid: Int32(100 + number % 4), name: ["app", "sync", "app", "worker"][number % 4])
        things = chance.happens(0.3) ? 20 : 20_000
        size = [1_500, 20_000, 40_000, 60_000, 9_000][Content.allCases.firstIndex(of: content) ?? 0]
        ratio = 2 + 4 * chance.share()
        wait = 5e6 * (1 + 20 * chance.share() * chance.share())
        hasValidators = isRead && chance.happens(0.4)
        let cookie = chance.happens(0.5) ? "Cookie: session=[redacted 40 B]; theme=dark; visits=12\r\n" : ""
        requestCookies = cookie.isEmpty ? 0 : 65
        requestFields = Array(
            """
            Host: \(host)\r
            Accept: */*\r
            Accept-Encoding: deflate, gzip, br\r
            Accept-Language: en\r
            User-Agent: Example/3.1 (Linux)\r
            Authorization: [redacted 64 B]\r
            \(cookie)Connection: keep-alive\r\n
            """.utf8)
        let encoding = coding.isEmpty ? "" : "Content-Encoding: \(coding)\r\nVary: Accept-Encoding\r\n"
        responseFields = Array(
            """
            Server: nginx\r
            Content-Type: \(content.type)\(isText ? "; charset=utf-8" : "")\r
            Cache-Control: \(hasValidators ? "max-age=60" : "no-store")\r
            \(encoding)Connection: keep-alive\r\n
            """.utf8)
        setsCookie = chance.happens(0.05)
    }
}
