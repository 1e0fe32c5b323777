@testable import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// Values that lie or make no sense: no crash, and nothing is shown as known that is not.
@Suite struct HostileEstimateTests {
    private static let texts = [
        "", " ", "\0", "\r\n", "a\r\nb: c", "GET", "chunked", "Identity", "gzip", "http://", "://", "http://[::1",
        "http://@",
        "http://h:99999999999/", "http://%zz%/..//.?#", "http://\u{301}/\u{301}?\u{301}", "Content-Length",
        "Transfer-Encoding", "Set-Cookie", "Cookie", "Host", "Content-Encoding", "a=b, c=d,, =, ,", "\"", "\"\\",
        "9223372036854775807", "99999999999999999999", "-1", "5, 5", "5, 6", "chunked, chunked", "Expect", "2", "1.0",
        String(repeating: "x, ", count: 5_000),
    ]
    private static let numbers: [Int64] = [.min, -1, 0, 1, 16, 65_524, 1 << 40, .max - 1, .max]

    private func request(_ random: inout SeededGenerator) -> ShownRequest {
        func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
        func number() -> Int64 { Self.numbers.randomElement(using: &random) ?? 0 }
        func fields() -> [ShownField] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in ShownField(text(), text()) }
        }
        let bodies: [ShownRequest.Body] = [
            .none, .length(number()), .stream(length: number(), counted: number()), .stream(length: nil, counted: nil),
            .stream(length: number(), counted: nil),
        ]
        return ShownRequest(
            method: Bool.random(using: &random) ? "POST" : text(), url: text(),
            targetForm: [.origin, .absolute, .authority, .asterisk].randomElement(using: &random) ?? .origin,
            httpVersion: text(), fields: fields(), additionalFields: fields(), cookies: fields(),
            wantsCookies: .random(using: &random), body: bodies.randomElement(using: &random) ?? .none,
            holdsBody: .random(using: &random), isStreamedUpload: .random(using: &random))
    }

    private func response(_ random: inout SeededGenerator) -> ShownResponse {
        func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
        func number() -> Int64 { Self.numbers.randomElement(using: &random) ?? 0 }
        let bodies: [ShownResponse.Body] = [
            .unseen, .wire(number()), .decoded(number(), recompressed: number()), .decoded(number(), recompressed: nil),
        ]
        return ShownResponse(
            status: [.min, -1, 0, 99, 100, 200, 204, 304, 599, 1_000, .max].randomElement(using: &random) ?? 0,
            reason: Bool.random(using: &random) ? text() : nil, httpVersion: Bool.random(using: &random) ? text() : nil,
            fields: (0..<Int.random(in: 0...5, using: &random)).map { _ in ShownField(text(), text()) },
            requestMethod: ["GET", "HEAD", "CONNECT", ""].randomElement(using: &random) ?? "",
            requestExpectsContinue: .random(using: &random), body: bodies.randomElement(using: &random) ?? .unseen,
            pieces: Bool.random(using: &random) ? PieceTally([1, 0, -3, .max]) : nil,
            isComplete: .random(using: &random))
    }

    private func check(_ estimate: Estimate, _ what: @autoclosure () -> String) {
        let parts: [(WireSize.Part, Int64?, Int64?)] = [
            (estimate.size.startLine, estimate.bound.startLine, estimate.usualBound.startLine),
            (estimate.size.fields, estimate.bound.fields, estimate.usualBound.fields),
            (estimate.size.cookies, estimate.bound.cookies, estimate.usualBound.cookies),
            (estimate.size.interim, estimate.bound.interim, estimate.usualBound.interim),
            (estimate.size.body, estimate.bound.body, estimate.usualBound.body),
            (estimate.size.framing, estimate.bound.framing, estimate.usualBound.framing),
        ]
        for (part, bound, usual) in parts {
            if part.evidence != .reconstructed, part.evidence != .unknown {
                Issue.record("\(part.evidence) in \(what())")
            }
            if part.evidence == .unknown, bound != nil || usual != nil {
                Issue.record("a bound of nothing in \(what())")
            }
            if let bound, bound < 0 { Issue.record("a negative bound in \(what())") }
            if let usual, usual < 0 { Issue.record("a negative usual bound in \(what())") }
            if let bound, usual.map({ $0 > bound }) ?? true { Issue.record("usually worse than ever in \(what())") }
        }
    }

    @Test func anythingHasASizeAndHonestBounds() {
        var random = SeededGenerator(seed: 11)
        let profiles = [
            RequestEstimateTests.linux, .apple(userAgent: "App", languages: "en", isSecure: false),
        ]
        for round in 0..<Rounds.few(1_000, all: 4_000) {
            let profile = profiles[round % 2]
            let request = request(&random)
            check(Reconstruction.request(request, profile: profile), "\(request)")
            let response = response(&random)
            check(Reconstruction.response(response, profile: profile), "\(response)")
        }
    }

    @Test func lengthsThatCannotBeAreNotKnown() {
        let linux = RequestEstimateTests.linux
        let negative = Reconstruction.request(
            ShownRequest(method: "POST", url: "http://h/", body: .length(-1)), profile: linux)
        #expect(negative.size.body == .unknown)
        #expect(negative.bound.body == nil)
        #expect(negative.bound.fields == 18)
        let wire = Reconstruction.response(ShownResponse(status: 200, body: .wire(-1)), profile: linux)
        #expect(wire.size.body == .unknown)
        let contradicting = Reconstruction.response(
            ShownResponse(
                status: 200, fields: [ShownField("Content-Length", "5, 6"), ShownField("Content-Encoding", "gzip")],
                body: .decoded(100, recompressed: nil)), profile: linux)
        #expect(contradicting.size.body == .unknown)
    }

    @Test func chunkedGoesBeforeALength() {
        let both = Reconstruction.response(
            ShownResponse(
                status: 200, fields: [ShownField("Content-Length", "500"), ShownField("Transfer-Encoding", "chunked")],
                body: .decoded(16, recompressed: nil)), profile: RequestEstimateTests.linux)
        #expect(both.size.body.bytes == 16)
        #expect(both.size.framing.bytes == 11)
    }

    @Test func theLargestLengthsDoNotOverflow() {
        let huge = Reconstruction.request(
            ShownRequest(method: "PUT", url: "http://h/", body: .stream(length: nil, counted: .max)),
            profile: RequestEstimateTests.linux)
        #expect(huge.size.body.bytes == ByteCount(Int64.max))
        #expect(huge.size.total == ByteCount(Int64.max))
        #expect(huge.bound.framing.map { $0 > 1 << 60 } == true)
    }

    @Test func aURLThatIsNoneHasNoTargetAndNoHost() {
        let estimate = Reconstruction.request(ShownRequest(url: "nonsense"), profile: RequestEstimateTests.linux)
        #expect(estimate.size.startLine == .unknown)
        #expect(estimate.size.fields == .unknown)
        #expect(estimate.size.total == nil)
    }
}
