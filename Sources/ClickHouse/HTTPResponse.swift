/// What a server has responded.
package struct HTTPResponse: Sendable {
    /// The status.
    package var status: Int
    /// The value of the field `Retry-After` in seconds; nil if there is none.
    package var retryAfter: Int?
    /// The content.
    package var body: [UInt8] = []
}
