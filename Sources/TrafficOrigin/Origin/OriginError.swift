#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why an origin, or the TLS server in front of it, could not be set up.
public struct OriginError: Error, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The system could not make a socket.
        case noSocket
        /// The port is taken, or this user may not use it.
        case cannotListen
        /// Nothing listens at that port.
        case cannotConnect
        /// A required program is not installed.
        case missingTool
        /// A required program failed.
        case toolFailed
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the failure.
    public let message: String

    package init(_ code: Code, _ message: String, _ errorNumber: Int32? = nil) {
        self.code = code
        self.message = errorNumber.map { "\(message): \(String(cString: strerror($0)))" } ?? message
    }

    /// The same text as ``message``.
    public var description: String { message }
}
