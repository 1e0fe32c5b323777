public import TrafficOrigin

/// A running observer and a client whose traffic it sees, for ``ObserverConformance``.
///
/// ```swift
/// final class MyConformingObserver: ConformingObserver {
///     private let observer: MyObserver
///     private let session = URLSession(configuration: .ephemeral)
///
///     init(reportingTo sink: any TrafficSink) throws { observer = try MyObserver(sink) }
///
///     func send(_ call: ConformanceCall) async -> ConformanceResult { await call.send(in: session) }
///     func flush() async { await observer.flush() }
///     func stop() async { observer.stop() }
/// }
/// ```
public protocol ConformingObserver: Sendable {
    /// Makes a request with a client that the observer watches, and waits for its outcome.
    ///
    /// The client follows redirects, respects the call's timeout, and cancels the request when the Swift task is
    /// cancelled. After ``stop()`` the client still works, but is no longer watched.
    /// ``ConformanceCall/send(in:)`` does all this with a URLSession.
    func send(_ call: ConformanceCall) async -> ConformanceResult

    /// Waits until the observer has reported all exchanges that have ended.
    func flush() async

    /// Stops the observer; after it returns, the observer reports nothing.
    func stop() async
}

/// A request that the suite wants the client to make.
public struct ConformanceCall: Sendable {
    /// The name of the call: the first component of the path, unique among the calls to one origin.
    public let name: String
    /// The method, such as `GET`.
    public let method: String
    /// The URL to request.
    public let url: String
    /// The header fields to send, as names and values.
    public let fields: [(name: String, value: String)]
    /// The request's content; nil for none.
    public let body: [UInt8]?
    /// The number of seconds without a response after which the client gives up.
    public let timeout: Double
    /// The server of the request; its log shows what really went over the wire.
    public let origin: LoopbackOrigin
}

/// What the client received.
public struct ConformanceResult: Sendable {
    /// The status of the last response; nil if none came.
    public var status: Int?
    /// The response's content, decoded.
    public var body: [UInt8]
    /// Why no response came; nil if one came.
    public var error: (any Error)?

    /// Makes a result from a status, content and error.
    public init(status: Int?, body: [UInt8] = [], error: (any Error)? = nil) {
        self.status = status
        self.body = body
        self.error = error
    }
}
