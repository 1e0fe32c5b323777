internal import CurlObserver
internal import TrafficInspector
internal import TrafficPipeline
internal import TrafficStore
internal import URLSessionObserver

/// Why metering could not begin, or what went wrong while storing.
public struct MonitorError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Sendable, Hashable {
        /// The configuration cannot be followed: one of its templates is none.
        case wrongConfiguration
        /// Another monitor meters this process.
        case alreadyStarted
        /// This process cannot be metered.
        case cannotObserve
        /// The store's file is not one that may be written to.
        case unusableStore
        /// The store could not be made, written or read.
        case cannotStore
        /// The page cannot be served there.
        case cannotInspect
    }

    /// What kind of failure it is.
    public let code: Code
    /// What is wrong and what to do about it.
    public let message: String
    /// What was underneath; nil where that is all.
    public let cause: (any Error)?

    /// The message.
    public var description: String { message }

    /// The configuration names no observer.
    static let nobodyObserves = MonitorError(
        code: .cannotObserve, message: "the configuration names no observer, so nothing would be metered", cause: nil)

    /// The configuration names only an observer that has nothing to watch here.
    static let noMetrics = MonitorError(
        code: .cannotObserve, message: "Foundation for Linux collects no task metrics; observe `.libcurl` instead",
        cause: nil)

    /// A self-test has placed the hooks.
    static let selfTesting = MonitorError(
        code: .alreadyStarted, message: "a self-test meters this process; start the monitor once it has ended",
        cause: nil)

    private init(code: Code, message: String, cause: (any Error)?) {
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

    init(_ error: InspectorError) {
        code = .cannotInspect
        message = error.description
        cause = error
    }

    init(storing error: any Error) {
        switch (error as? StoreError)?.code {
        case .notADatabase, .notAWireweightStore, .newerVersion, .corrupt: code = .unusableStore
        default: code = .cannotStore
        }
        message = (error as? StoreError)?.message ?? "\(error)"
        cause = error
    }
}
