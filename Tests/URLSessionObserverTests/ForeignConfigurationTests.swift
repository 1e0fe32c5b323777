import Foundation
import HTTPWire
import Observing
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of sessions that others make are sent with these sessions' own configurations.
@Suite(.oneAtATime, .timeLimit(.minutes(1)))
struct ForeignConfigurationTests {
    private func observer() throws -> URLProtocolObserver {
        try URLProtocolObserver.start(
            output: ObserverOutput(sink: RecordingSink()), settings: .init(observesSharedSession: false))
    }

    private func configuration(_ value: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": value]
        return configuration
    }

    @Test("A configuration is taken as it is at the first request")
    func firstRequest() throws {
        let observer = try observer()
        defer { observer.stop() }
        let configuration = configuration("early")
        let metered = MeteredConfiguration(observer: observer, following: configuration)
        configuration.httpAdditionalHeaders = ["X-App": "late"]
        configuration.httpShouldSetCookies = false
        #expect(metered.surroundings.additionalFields == [ShownField("X-App", "late")])
        #expect(!metered.surroundings.wantsCookies)
        configuration.httpAdditionalHeaders = ["X-App": "too late"]
        #expect(metered.surroundings.additionalFields == [ShownField("X-App", "late")])
    }

    @Test("A later observer has the same configuration")
    func nextObserver() throws {
        let (first, second) = (try observer(), try observer())
        defer { first.stop() }
        defer { second.stop() }
        let configuration = configuration("one")
        let metered = MeteredConfiguration(observer: first, following: configuration)
        _ = metered.surroundings
        configuration.httpAdditionalHeaders = [:]
        let moved = MeteredConfiguration(observer: second, movedFrom: metered)
        #expect(moved.surroundings.additionalFields == [ShownField("X-App", "one")])
        #expect(moved.observer === second)
    }

    #if !canImport(Darwin)
        @Test("A private session keeps its cookies to itself, and its headers and time limit", .timeLimit(.minutes(1)))
        func privateSession() async throws {
            let origin = LoopbackOrigin { _ in .respond(fields: ["Set-Cookie: visit=1"], body: .text("x")) }
            try await InterceptedOrigin.run(origin) { intercepted in
                let configuration = configuration("private")
                let metered = MeteredConfiguration(observer: intercepted.observer, following: configuration)
                configuration.protocolClasses = [ConfigurationClasses.make(for: metered)]
                let session = URLSession(configuration: configuration)
                defer { session.invalidateAndCancel() }
                let url = try intercepted.url("/private")
                for _ in 0..<2 { _ = try await session.data(from: url) }
                let requests = intercepted.origin.exchanges.compactMap(\.parsed)
                #expect(requests.map { $0.value(of: "X-App") } == ["private", "private"])
                #expect(requests.map { $0.value(of: "Cookie") } == [nil, "visit=1"])
                #expect((HTTPCookieStorage.shared.cookies(for: url) ?? []).isEmpty)
                #expect(intercepted.sink.requests.count == 2)
            }
        }
    #endif
}
