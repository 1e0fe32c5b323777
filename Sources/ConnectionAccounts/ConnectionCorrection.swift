/// The difference between the bytes of an exchange that its observer saw and those that the kernel counted.
package struct ConnectionCorrection: Sendable {
    /// Bytes that were handed to the kernel and never left, because the connection was reset before.
    package var unsent: Int64 = 0
    /// Bytes that were taken from the kernel and not seen, such as half a header line that libcurl does not show.
    package var unseen: Int64 = 0
    /// Bytes that were assumed to have come, because the observer does not see them, and had not: the empty line after
    /// an interim response.
    package var assumed: Int64 = 0
    /// Whether the kernel's count was known.
    package var isVerified = false
    /// Whether frames of HTTP/2 may have been handed over and never sent, without anything that counts them.
    package var mayBeUnsent = false
}
