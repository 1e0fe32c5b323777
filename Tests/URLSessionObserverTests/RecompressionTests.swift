import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RecompressionTests {
    @Test func codingsWithoutACompressorHaveNone() {
        #expect(Recompression().body(contentEncoding: "compress") == nil)
        #expect(Recompression().body(contentEncoding: "gzip, gzip") == nil)
    }

    @Test func aBodyForWhichThereIsNoRoomHasNoEstimate() throws {
        let recompression = Recompression(capacity: 1_000)
        let body = try #require(recompression.body(contentEncoding: "gzip"))
        let small = try #require(recompression.body(contentEncoding: "gzip"))
        let sizes = Mutex<[Int64?]>([])
        body.add(Data(count: 1_001))
        body.add(Data(count: 10))
        small.add(Data(count: 999))
        body.finish { size in sizes.withLock { $0.append(size) } }
        small.finish { size in sizes.withLock { $0.append(size) } }
        recompression.wait()
        let all = sizes.withLock { $0 }
        #expect(all.count == 2)
        #expect(all.first == .some(nil))
        #expect(all.compactMap(\.self).contains { $0 > 20 })
    }
}

#if !canImport(Darwin)
    @Suite(.oneAtATime, .timeLimit(.minutes(1)))
    struct RecompressedResponseTests {
        @Test(arguments: CodedContent.allCases)
        func aCodedBodyInChunksIsEstimatedByCompressingAgain(coding: CodedContent) async throws {
            let coded = coding.bytes
            let origin = LoopbackOrigin { _ in
                .respond(
                    fields: ["Content-Type: application/json", "Content-Encoding: \(coding.rawValue)"],
                    body: .chunked(coded, sizes: [100, 50]))
            }
            try await InterceptedOrigin.run(origin) { intercepted in
                let (data, _) = try await intercepted.session().data(from: try intercepted.url("/feed"))
                #expect(data == Data(CodedContent.text))
                await withCheckedContinuation { done in intercepted.observer.flush { done.resume() } }
                let response = try #require(intercepted.sink.responses.first)
                #expect(response.size.body.evidence == .reconstructed)
                #expect(response.decodedBody.bytes == ByteCount(Int64(CodedContent.text.count)))
                // The one that was sent was made by another encoder at another level.
                let estimate = Double(response.size.body.bytes.bytes) / Double(coded.count)
                #expect(0.8...1.25 ~= estimate)
                #expect(intercepted.sink.ends.map(\.exchange) == [response.exchange])
            }
        }
    }
#endif
