public import TrafficOrigin

/// An observer that runs, and a client whose traffic it sees: what ``ObserverConformance`` needs.
///
/// ```swift
/// final class MyConformingObserver: ConformingObserver {
///     private let observer: MyObserver
///     private let session = URLSession(configuration: .ephemeral)
///
///     init(telling sink: any TrafficSink) throws { observer = try MyObserver(sink) }
///
///     func send(_ call: ConformanceCall) async -> ConformanceAnswer { await call.send(in: session) }
///     func flush() async { await observer.flush() }
///     func stop() async { observer.stop() }
/// }
/// ```
public protocol ConformingObserver: Sendable {
    /// Makes a request with a client that the observer watches, and waits for what comes of it.
    ///
    /// The client follows redirects, keeps to the call's timeout, and gives the request up when the Swift task is
    /// cancelled. It goes on to work after ``stop()``, unwatched. ``ConformanceCall/send(in:)`` does it with a
    /// URLSession.
    func send(_ call: ConformanceCall) async -> ConformanceAnswer

    /// Waits until everything that is over has been told.
    func flush() async

    /// Ends the observer; once it has returned, nothing is told.
    func stop() async
}

/// One request that the suite wants made.
public struct ConformanceCall: Sendable {
    /// What it is called; the first component of the path, and no other call's of the same origin.
    public let name: String
    /// The method.
    public let method: String
    /// The URL.
    public let url: String
    /// Field lines as name and value.
    public let fields: [(name: String, value: String)]
    /// The content; nil for none.
    public let body: [UInt8]?
    /// After how many seconds without an answer to give up.
    public let timeout: Double
    /// Who answers; its log tells what really went over the wire.
    public let origin: LoopbackOrigin
}

/// What the client got.
public struct ConformanceAnswer: Sendable {
    /// The status of the last response; nil where none came.
    public var status: Int?
    /// The content, decoded.
    public var body: [UInt8]
    /// Why there was no answer; nil where there was one.
    public var error: (any Error)?

    /// An answer of those parts.
    public init(status: Int?, body: [UInt8] = [], error: (any Error)? = nil) {
        self.status = status
        self.body = body
        self.error = error
    }
}
