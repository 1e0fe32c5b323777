internal import CurlObserver
internal import TrafficPipeline
internal import TrafficStore
internal import URLSessionObserver
internal import URLTemplates

/// Why metering could not start, or why the store could not be written or read.
public struct MonitorError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Later versions may have more codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// One of the configuration's templates is not valid.
        public static let wrongConfiguration = Code("wrongConfiguration")
        /// Another monitor meters this process.
        public static let alreadyStarted = Code("alreadyStarted")
        /// This process cannot be metered.
        public static let cannotObserve = Code("cannotObserve")
        /// The file is not a store that this version can write to.
        public static let unusableStore = Code("unusableStore")
        /// Making, writing or reading the store failed.
        public static let cannotStore = Code("cannotStore")
        /// Shipping cannot start: the address or the credentials are not valid.
        public static let cannotShip = Code("cannotShip")
        /// The page cannot be served at that address and port.
        public static let cannotInspect = Code("cannotInspect")

        /// The name in this API.
        public let description: String

        private init(_ name: String) { description = name }
    }

    /// The kind of failure.
    public let code: Code
    /// A description of what is wrong and what to do about it.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// The same text as ``message``.
    public var description: String { message }

    static let nobodyObserves = MonitorError(
        code: .cannotObserve,
        message: "the configuration names no observer, so nothing would be metered; name one in 'observers'",
        cause: nil)

    /// The configuration names only task metrics, which Linux does not collect.
    static let noMetrics = MonitorError(
        code: .cannotObserve, message: "Foundation for Linux collects no task metrics; observe `.libcurl` instead",
        cause: nil)

    /// A self-test has installed the hooks.
    static let selfTesting = MonitorError(
        code: .alreadyStarted, message: "a self-test meters this process; start the monitor once it has ended",
        cause: nil)

    package init(code: Code, message: String, cause: (any Error)?) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    init(_ template: TemplatePattern.Invalid) {
        code = .wrongConfiguration
        message = template.message
        cause = nil
    }

    init(_ refusal: CurlObserver.Refusal) {
        code = refusal == .alreadyStarted ? .alreadyStarted : .cannotObserve
        message = refusal.message
        cause = refusal
    }

    init(_ refusal: URLProtocolObserver.Refusal) {
        code = refusal == .alreadyStarted ? .alreadyStarted : .cannotObserve
        message = refusal.message
        cause = refusal
    }

    /// Why an observer did not start.
    init(refusal error: any Error) {
        switch error {
        case let refusal as CurlObserver.Refusal: self.init(refusal)
        case let refusal as URLProtocolObserver.Refusal: self.init(refusal)
        default: self.init(code: .cannotObserve, message: "\(error)", cause: error)
        }
    }

    package init(storing error: any Error) {
        switch (error as? StoreError)?.code {
        case .notADatabase, .notAWireweightStore, .newerVersion, .corrupt: code = .unusableStore
        default: code = .cannotStore
        }
        message = (error as? StoreError)?.message ?? "\(error)"
        cause = error
    }
}
