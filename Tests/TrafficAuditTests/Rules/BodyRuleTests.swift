import Testing
import TrafficModel

@testable import TrafficAudit

/// Text that gzip makes much smaller, that many bytes of it.
private func prose(_ count: Int) -> [UInt8] {
    let line = Array("The quick brown fox jumps over the lazy dog. ".utf8)
    return (0..<count).map { line[$0 % line.count] }
}

/// Bytes that nothing makes smaller.
private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}

@Suite("Text without content coding")
struct TextWithoutCodingTests {
    private let rule = "text-without-coding"

    @Test("kept bodies are compressed, and what that saves is measured")
    func measured() throws {
        let body = prose(20_000)
        let found = try findings(
            rule, in: [call(1, body: 20_000, kept: body, sent: ["Accept-Encoding: gzip"])])
        let finding = try #require(found.first)
        #expect(finding.basis == .measured)
        // 45 bytes again and again: less than 200 are left.
        #expect((19_800..<20_000).contains(finding.bytes))
        #expect(finding.evidence == [StoredExchange.ID(1)])
        #expect(finding.problem.contains("although the client accepts compression"))
    }

    @Test(
        "a client that takes the content as it is accepts no compression",
        arguments: [
            ("identity", false), ("", false), ("gzip;q=0", false), ("*;q=0", false),
            ("identity, gzip ; Q=0.000", false), ("identity;q=0.5, gzip;q=0.1", true), ("br", true), ("*", true),
            ("identity, *;q=0.01", true),
        ])
    func accepted(value: String, isAccepted: Bool) throws {
        let found = try findings(rule, in: [call(1, body: 20_000, sent: ["Accept-Encoding: \(value)"])])
        let problem = try #require(found.first).problem
        #expect(problem.contains("although the client accepts compression") == isAccepted)
        #expect(problem.contains("the client did not request compression") != isAccepted)
    }

    @Test("what does not compress saves nothing, whatever its type says")
    func noisy() throws {
        var limits = Audit.Limits()
        limits.leastTime = .max
        #expect(try findings(rule, in: [call(1, body: 20_000, kept: noise(20_000))], limits).isEmpty)
    }

    @Test(
        "without kept bodies, the ratio is that of the API's own compressed responses of the kind, then the host's, then a general one"
    )
    func estimated() throws {
        let own = call(1, coding: "gzip", body: 2_000, decoded: 10_000)
        let plain = call(2, body: 10_000)
        let finding = try #require(try findings(rule, in: [own, plain]).first)
        #expect(finding.basis == .estimated)
        #expect(finding.bytes == 8_000)
        #expect(finding.source.contains("this API's own"))

        let neighbour = call(1, "GET", "http://api.test/other", coding: "gzip", body: 4_000, decoded: 10_000)
        let second = try #require(try findings(rule, in: [neighbour, plain]).first)
        #expect(second.bytes == 6_000)
        #expect(second.source.contains("the host's"))

        let third = try #require(try findings(rule, in: [plain]).first)
        #expect(third.bytes == 5_000)
        #expect(third.source.contains("half or less"))
        #expect(third.problem.contains("the client did not request compression"))
    }

    @Test(
        "coded text, images, parts and streams of events are left alone",
        arguments: [
            call(1, coding: "br", body: 90_000), call(1, type: "image/png", body: 90_000),
            call(1, status: 206, body: 90_000), call(1, type: "text/event-stream", body: 90_000),
            call(1, type: "", body: 90_000),
        ])
    func negative(_ exchange: Exchange) throws {
        #expect(try findings(rule, in: [exchange]).isEmpty)
    }

    @Test("text up to the limit is left alone, one byte more is not", arguments: [(1_000, 0), (1_001, 1)])
    func boundary(_ body: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: [call(1, body: body)]).count == count)
    }

    @Test("of many kept bodies a few are compressed, and the rest is estimated by them")
    func sampled() throws {
        let calls = (1...30).map { call($0, at: Double($0) * 10, body: 20_000, kept: prose(20_000)) }
        let finding = try #require(try findings(rule, in: calls).first)
        #expect(finding.basis == .estimated)
        #expect(finding.source.contains("20 kept bodies"))
        #expect((594_000..<600_000).contains(finding.bytes))
    }
}

@Suite("Uploads without content coding")
struct UploadWithoutCodingTests {
    private let rule = "upload-without-coding"
    private let json = ["Content-Type: application/json; charset=utf-8"]

    @Test("text that is uploaded as it is, measured where it was kept")
    func positive() throws {
        let found = try findings(
            rule, in: [call(1, "POST", sent: json, upload: 20_000, keptUpload: prose(20_000))])
        #expect(found.first?.basis == .measured)
        #expect((19_800..<20_000).contains(found.first?.bytes ?? 0))
        #expect(try findings(rule, in: [call(1, "POST", sent: json, upload: 20_000)]).first?.bytes == 10_000)
    }

    @Test(
        "coded uploads and images are left alone",
        arguments: [["Content-Type: application/json", "Content-Encoding: gzip"], ["Content-Type: image/png"], []])
    func negative(_ fields: [String]) throws {
        #expect(try findings(rule, in: [call(1, "POST", sent: fields, upload: 90_000)]).isEmpty)
    }

    @Test("text up to the limit is left alone, one byte more is not", arguments: [(1_000, 0), (1_001, 1)])
    func boundary(_ upload: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: [call(1, "POST", sent: json, upload: upload)]).count == count)
    }
}

@Suite("Large images")
struct LargeImagesTests {
    @Test("what is above the limit could be saved")
    func positive() throws {
        let finding = try #require(
            try findings("large-images", in: [call(1, type: "image/jpeg", body: 1_000_000)]).first)
        #expect(finding.bytes == 800_000)
        #expect(finding.basis == .estimated)
    }

    @Test("large things that are no images are left alone")
    func negative() throws {
        #expect(try findings("large-images", in: [call(1, type: "video/mp4", body: 9_000_000)]).isEmpty)
    }

    @Test("an image of the limit is fine, one byte more is not", arguments: [(200_000, 0), (200_001, 1)])
    func boundary(_ body: Int64, _ count: Int) throws {
        #expect(try findings("large-images", in: [call(1, type: "image/png", body: body)]).count == count)
    }
}

@Suite("Tiny chunks")
struct TinyChunksTests {
    private let chunked = ["Transfer-Encoding: Chunked"]

    @Test("what framing takes beyond that of usual chunks could be saved")
    func positive() throws {
        // 100 chunks of 100 bytes: two digits and two line ends each, and the last chunk.
        let found = try findings(
            "tiny-chunks", in: [call(1, coding: "gzip", body: 10_000, framing: 605, got: chunked)])
        #expect(found.first?.bytes == 592)
        #expect(found.first?.basis == .measured)
    }

    @Test("framing that is not of chunks, and framing of a short body, are left alone")
    func negative() throws {
        #expect(try findings("tiny-chunks", in: [call(1, body: 10_000, framing: 2_000)]).isEmpty)
        #expect(try findings("tiny-chunks", in: [call(1, body: 500, framing: 200, got: chunked)]).isEmpty)
        #expect(
            try findings("tiny-chunks", in: [call(1, body: 10_000, framing: 2_000, got: chunked, version: "2")]).isEmpty
        )
    }

    @Test("framing of 5 % is fine, one byte more is not", arguments: [(500, 0), (501, 1)])
    func boundary(_ framing: Int64, _ count: Int) throws {
        let exchange = call(1, body: 10_000, framing: framing, got: chunked)
        #expect(try findings("tiny-chunks", in: [exchange]).count == count)
    }
}

@Suite("Cancelled downloads")
struct CancelledDownloadsTests {
    private func downloads(_ count: Int64, body: Int64, _ outcome: ExchangeEnd.Outcome = .cancelled) -> [Exchange] {
        (1...count).map { call($0, type: "video/mp4", body: body, outcome: outcome) }
    }

    @Test("what had come before the program took the request back is wasted")
    func positive() throws {
        let found = try findings("cancelled-downloads", in: downloads(2, body: 100_000))
        #expect(found.first?.bytes == 200_102)
        #expect(found.first?.affectedCalls == 2)
    }

    @Test("downloads that were completed, or failed of themselves, are left alone")
    func negative() throws {
        #expect(try findings("cancelled-downloads", in: downloads(5, body: 100_000, .completed)).isEmpty)
        #expect(try findings("cancelled-downloads", in: downloads(5, body: 100_000, .timedOut)).isEmpty)
        #expect(try findings("cancelled-downloads", in: downloads(1, body: 100_000)).isEmpty)
    }

    @Test("what comes with the first packets is unavoidable", arguments: [(4_380, 0), (4_381, 1)])
    func boundary(_ received: Int64, _ count: Int) throws {
        #expect(try findings("cancelled-downloads", in: downloads(2, body: received - 19)).count == count)
    }
}
