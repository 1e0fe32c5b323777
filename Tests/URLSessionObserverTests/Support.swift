import Foundation
import Observing
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if !canImport(Darwin)
    /// An origin, and interception of the sessions that call it.
    struct InterceptedOrigin {
        let origin: LoopbackOrigin
        let sink: RecordingSink
        let observer: URLProtocolObserver

        /// Runs the origin and the observer for as long as the body takes.
        static func run(_ origin: LoopbackOrigin, _ body: (InterceptedOrigin) async throws -> Void) async throws {
            try origin.start()
            defer { origin.stop() }
            let sink = RecordingSink()
            let observer = try URLProtocolObserver.start(
                output: ObserverOutput(sink: sink), settings: .init(observesSharedSession: false))
            defer { observer.stop() }
            try await body(InterceptedOrigin(origin: origin, sink: sink, observer: observer))
        }

        /// A session of that configuration, metered.
        func session(
            _ configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil
        ) -> URLSession {
            let metered = configuration.metered(by: observer)
            guard let delegate else { return URLSession(configuration: metered) }
            return URLSession(configuration: metered, delegate: delegate, delegateQueue: nil)
        }

        /// The URL of a path.
        func url(_ path: String) throws -> URL { try #require(URL(string: origin.address + path)) }
    }
#endif
