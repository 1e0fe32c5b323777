/// What a server has responded.
struct HTTPResponse: Sendable {
    /// The status.
    var status: Int
    /// The value of the field `Retry-After` in seconds; nil if there is none.
    var retryAfter: Int?
    /// The content.
    var body: [UInt8] = []
}
