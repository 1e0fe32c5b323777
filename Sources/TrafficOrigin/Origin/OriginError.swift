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
    ///
    /// Later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The system could not make a socket.
        public static let noSocket = Code("noSocket")
        /// The port is taken, or this user may not use it.
        public static let cannotListen = Code("cannotListen")
        /// Nothing listens at that port.
        public static let cannotConnect = Code("cannotConnect")
        /// A required program is not installed.
        public static let missingTool = Code("missingTool")
        /// A required program failed.
        public static let toolFailed = Code("toolFailed")

        /// The name in this API.
        public let description: String

        private init(_ name: String) { description = name }
    }

    /// The kind of failure.
    public let code: Code
    /// A description of what is wrong and what to do about it.
    public let message: String

    package init(_ code: Code, _ message: String, _ errorNumber: Int32? = nil, advice: String) {
        let reason = errorNumber.map { ": \(String(cString: strerror($0)))" } ?? ""
        self.code = code
        self.message = "\(message)\(reason); \(advice)"
    }

    /// The same text as ``message``.
    public var description: String { message }
}
