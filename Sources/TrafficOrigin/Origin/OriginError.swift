#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why an origin, or what stands in front of it, could not be set up.
public struct OriginError: Error, CustomStringConvertible {
    /// What was wrong.
    public enum Code: Hashable, Sendable {
        /// The system gave no socket.
        case noSocket
        /// The port is taken, or may not be used.
        case cannotListen
        /// Nothing listens there.
        case cannotConnect
        /// A program that is needed is not installed.
        case missingTool
        /// A program that is needed failed.
        case toolFailed
    }

    /// What was wrong.
    public let code: Code
    /// The same in words.
    public let message: String

    package init(_ code: Code, _ message: String, _ errorNumber: Int32? = nil) {
        self.code = code
        self.message = errorNumber.map { "\(message): \(String(cString: strerror($0)))" } ?? message
    }

    /// The message.
    public var description: String { message }
}
