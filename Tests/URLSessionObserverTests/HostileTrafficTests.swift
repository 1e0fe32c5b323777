import Foundation
import Observing
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers and streams that lie: the program gets what it gets without the observer, and the rows are honest.
@Suite(.oneAtATime, .timeLimit(.minutes(3)))
struct HostileTrafficTests {
    private let sink = RecordingSink()

    private func observer() throws -> URLProtocolObserver {
        try URLProtocolObserver.start(output: ObserverOutput(sink: sink), settings: .init(observesSharedSession: false))
    }

    @Test(arguments: HostileResponse.all, DifferentialCase.Style.allCases)
    func aResponseThatContradictsItself(hostile: HostileResponse, style: DifferentialCase.Style) async throws {
        let (plain, _) = try await get(hostile, style, nil)
        let observer = try observer()
        defer { observer.stop() }
        let (metered, origin) = try await get(hostile, style, observer)
        #expect(metered == plain)
        #expect(await eventually { !sink.ends.isEmpty })
        let request = try #require(sink.requests.first)
        #expect(sink.requests.count == 1)
        #expect(sink.ends.count == 1)
        #expect(request.scheme == "http")
        // A redirect that leads out of HTTP is an exchange that came to its end, where the redirect is seen.
        let leadsOut = plain.error == "NSURLErrorDomain \(URLError.unsupportedURL.rawValue)" && style != .delegate
        #expect((sink.ends.first?.outcome == .completed) == (plain.error == nil || leadsOut))
        #expect(request.size.evidence <= .reconstructed)
        // The sizes are of what came, never of what was promised.
        guard let response = sink.responses.first, let truth = origin.first?.response else { return }
        #expect(response.size.evidence <= .reconstructed)
        #expect(response.size.startLine == .init(ByteCount(truth.startLine), .reconstructed))
        #expect(response.size.body.bytes.bytes <= Int64(truth.body))
        if plain.error == nil, response.decodedBody.evidence != .unknown {
            #expect(response.decodedBody == .init(ByteCount(plain.body.count), .reconstructed))
        }
    }

    private func get(
        _ hostile: HostileResponse, _ style: DifferentialCase.Style, _ observer: URLProtocolObserver?
    ) async throws -> (DifferentialCase.Seen, [OriginExchange]) {
        let origin = LoopbackOrigin { _ in hostile.script }
        try origin.start()
        defer { origin.stop() }
        var differential = DifferentialCase(name: hostile.description) { _ in hostile.script }
        differential.method = hostile.method
        let configuration = differential.configuration()
        var seen = await differential.perform(
            in: observer.map { configuration.metered(by: $0) } ?? configuration, style: style, origin: origin)
        seen.fields["Date"] = nil
        _ = await eventually { origin.waitUntilIdle(seconds: 0.01) }
        return (seen, origin.exchanges)
    }

    /// Foundation for Linux takes a stream that fails for one that has ended, and a length for none.
    @Test(arguments: HostileStream.Kind.allCases)
    func aStreamThatLies(kind: HostileStream.Kind) async throws {
        let (plain, plainBody) = try await post(kind, nil)
        let observer = try observer()
        defer { observer.stop() }
        let (metered, body) = try await post(kind, observer)
        #expect(metered == plain)
        if kind != .neverEnds { #expect(body == plainBody) }
        #expect(await eventually { !sink.ends.isEmpty })
        #expect(sink.requests.count == 1)
        #expect(sink.ends.map(\.outcome) == [kind == .neverEnds ? .cancelled : .completed])
        // The system does not report how much of a cancelled request was sent.
        let told = try #require(sink.requests.first?.size)
        #expect(told.body == (kind == .neverEnds ? .unknown : .init(ByteCount(body), .reconstructed)))
    }

    private func post(_ kind: HostileStream.Kind, _ observer: URLProtocolObserver?) async throws -> ([Int], Int) {
        let origin = LoopbackOrigin { _ in .respond(body: .text("thanks")) }
        try origin.start()
        defer { origin.stop() }
        var request = URLRequest(url: try #require(URL(string: origin.address)))
        request.httpMethod = "POST"
        request.setValue("\(HostileStream.namedLength)", forHTTPHeaderField: "Content-Length")
        request.httpBodyStream = HostileStream(kind)
        let configuration = URLSessionConfiguration.ephemeral
        let session = URLSession(configuration: observer.map { configuration.metered(by: $0) } ?? configuration)
        defer { session.finishTasksAndInvalidate() }
        let sent = request
        let result: [Int] = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: sent) { body, response, error in
                continuation.resume(returning: [
                    (response as? HTTPURLResponse)?.statusCode ?? 0, body?.count ?? 0, (error as NSError?)?.code ?? 0,
                ])
            }
            task.resume()
            if kind == .neverEnds { DispatchQueue.global().asyncAfter(deadline: .now() + 1) { task.cancel() } }
        }
        _ = await eventually { origin.waitUntilIdle(seconds: 0.01) }
        return (result, origin.exchanges.first?.request.body ?? 0)
    }
}
