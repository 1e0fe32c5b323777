import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Answers to challenges that go over a handle of their own, as URLSession's do.
@Suite struct AttemptLinkerTests {
    private func tasks(_ build: (inout FrameBuilder) -> Void) throws -> [[Int64]] {
        let sink = try Hearing.of(build)
        let last = Dictionary(sink.requests.map { ($0.exchange, $0) }) { $1 }.values
        return last.sorted { $0.exchange.rawValue < $1.exchange.rawValue }.map {
            [$0.task.rawValue, Int64($0.resendCount)]
        }
    }

    private static let second: UInt64 = 1_000_000_000

    private func exchange(
        _ frames: inout FrameBuilder, _ number: UInt64, at time: UInt64, _ head: String, _ status: Int,
        url: String = "http://h/a"
    ) {
        frames.begin(number, handle: number, at: time)
        frames.request(number, at: time + 1, url: url)
        frames.headOut(number, at: time + 1, head + "\r\n")
        frames.headIn(number, at: time + 2, "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        frames.end(number, at: time + 3, url: url)
    }

    private let plain = "GET /a HTTP/1.1\r\n"
    private let answer = "GET /a HTTP/1.1\r\nAuthorization: Basic eA==\r\n"

    @Test func anAnswerToAChallengeOnAnotherHandleIsOfTheSameTask() throws {
        #expect(
            try tasks { frames in
                exchange(&frames, 1, at: 1_000, plain, 401)
                exchange(&frames, 2, at: 2_000, answer, 200)
                exchange(&frames, 3, at: 3_000, answer, 200)
            } == [[1, 0], [1, 1], [3, 0]])
    }

    @Test(
        "what is no answer begins a task",
        arguments: [
            (401, "GET /a HTTP/1.1\r\n", 2_000, "http://h/a"),
            (403, "GET /a HTTP/1.1\r\nAuthorization: Basic eA==\r\n", 2_000, "http://h/a"),
            (401, "GET /b HTTP/1.1\r\nAuthorization: Basic eA==\r\n", 2_000, "http://h/b"),
            (401, "GET /a HTTP/1.1\r\nAuthorization: Basic eA==\r\n", 9 * second, "http://h/a"),
        ] as [(Int, String, UInt64, String)])
    func others(_ status: Int, _ head: String, at time: UInt64, url: String) throws {
        #expect(
            try tasks { frames in
                exchange(&frames, 1, at: 1_000, plain, status)
                exchange(&frames, 2, at: time, head, 200, url: url)
            } == [[1, 0], [2, 0]])
    }

    @Test func aRefusedAnswerIsNoChallengeForAnotherHandle() throws {
        #expect(
            try tasks { frames in
                exchange(&frames, 1, at: 1_000, answer, 401)
                exchange(&frames, 2, at: 2_000, answer, 401)
            } == [[1, 0], [2, 0]])
    }

    @Test func twoChallengesAreAnsweredInTheirOrder() throws {
        #expect(
            try tasks { frames in
                exchange(&frames, 1, at: 1_000, plain, 401)
                exchange(&frames, 2, at: 1_100, plain, 401)
                exchange(&frames, 3, at: 2_000, answer, 200)
                exchange(&frames, 4, at: 2_100, answer, 200)
            } == [[1, 0], [2, 0], [1, 1], [2, 1]])
    }
}
