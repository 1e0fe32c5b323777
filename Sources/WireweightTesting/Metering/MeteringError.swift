internal import CurlObserver

/// Why code could not be metered.
public struct MeteringError: Error, Sendable, CustomStringConvertible {
    /// The kind of obstacle.
    ///
    /// Later versions may have more codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A monitor already meters this process.
        public static let alreadyMetered = Code("alreadyMetered")
        /// This process cannot be metered.
        public static let cannotObserve = Code("cannotObserve")
        /// One `metering` was called inside another.
        public static let nested = Code("nested")

        /// The name in this API.
        public let description: String

        private init(_ name: String) { description = name }
    }

    /// The kind of obstacle.
    public let code: Code
    /// A description of what is wrong and what to do about it.
    public let message: String

    /// The same text as ``message``.
    public var description: String { message }

    static let nested = MeteringError(
        code: .nested,
        message: "'metering' inside of 'metering' would wait for itself; meter once, or one after the other")

    private init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    init(_ refusal: CurlObserver.Refusal) {
        code = refusal == .alreadyStarted ? .alreadyMetered : .cannotObserve
        message = refusal.message
    }
}
