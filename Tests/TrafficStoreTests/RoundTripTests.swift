import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct RoundTripTests {
    @Test func everyFieldComesBackAsItWasTold() throws {
        let folder = try Folder()
        let request = RequestRecord(
            exchange: ExchangeID(1), task: ExchangeID(1), resendCount: 0,
            process: ProcessIdentity(pid: 4_711, name: "Äpp"),
            startedAt: Timestamp(nanoseconds: Sample.epoch + 123_456_000),
            sentAt: Timestamp(nanoseconds: Sample.epoch + 123_999_000), method: "PATCH", scheme: "http",
            host: "api.example", port: 8_443, path: "/a%20b/ü", query: "", template: "/{x}", httpVersion: "2",
            fields: Sample.section("Host: api.example", "Cookie: «redacted»", "X-Folded: a", " b"),
            size: WireSize(
                startLine: WireSize.Part(1, .reconstructed), fields: WireSize.Part(2, .reported),
                cookies: .captured(3), interim: .unknown, body: .captured(1 << 40),
                framing: WireSize.Part(6, .reported), margin: 5_000_000_000),
            bodyDigest: .max, capturedBody: [0, 255, 10])
        let response = ResponseRecord(
            exchange: ExchangeID(1), firstByteAt: Timestamp(nanoseconds: Sample.epoch + 99_000), status: 418,
            reason: "I'm a teapot", httpVersion: "1.0", fields: Sample.section("Content-Length: 0"),
            size: WireSize(
                startLine: .unknown, fields: .captured(7), cookies: WireSize.Part(8, .reported),
                interim: .captured(9), body: WireSize.Part(10, .reconstructed), framing: .captured(11),
                margin: 0),
            decodedBody: WireSize.Part(12, .reported), contentType: "text/plain", contentEncoding: "br",
            bodyDigest: 0, capturedBody: [])
        let end = ExchangeEnd(
            exchange: ExchangeID(1), endedAt: Timestamp(nanoseconds: Sample.epoch + 1_000_001_000),
            outcome: .failed(ExchangeFailure(.libcurl, code: 56, message: "Recv failure")),
            timings: ExchangeTimings(
                queue: 1_000, dns: 0, connect: 22_000, tls: 333_000, send: 4_444_000, wait: 55_555_000,
                receive: 666_666_000, total: 7_777_777_000),
            connection: ConnectionID(1), reusedConnection: true, remoteAddress: "[::1]:8443",
            share: ConnectionShare(
                overhead: ByteFlow(up: 1_400, down: 5_000_000_000), packetHeaders: ByteFlow(up: 720, down: 1_440)))
        let connection = ConnectionRecord(
            connection: ConnectionID(1), process: request.process, localAddress: "127.0.0.1:5",
            remoteAddress: "[::1]:8443", applicationProtocol: "h2",
            tls: ConnectionRecord.TLS(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384"),
            openedAt: Sample.moment(0), closedAt: Sample.moment(9), payloadUp: 10, payloadDown: 11, retransmitted: 12,
            segmentsUp: 14, segmentsDown: 15, roundTrip: 13,
            load: ConnectionLoad(
                exchanges: 16, messages: ByteFlow(up: 17, down: 18), clearMessages: ByteFlow(up: 19, down: 20),
                http2Control: ByteFlow(up: 21, down: 22), plaintext: ByteFlow(up: 23, down: 24)))
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(request), .response(response), .end(end), .connection(connection)])
        try writer.close()

        let reader = try StoreReader.open(folder.file())
        let kept = StoredExchange(Exchange(request: request, response: response, end: end))
        #expect(try reader.exchanges() == [kept])
        #expect(try reader.exchange(StoredExchange.ID(1))?.end == kept.end)
        #expect(try reader.exchange(StoredExchange.ID(2)) == nil)
        #expect(try reader.connections() == [StoredConnection(connection)])
    }

    @Test func whatIsMissingStaysMissing() throws {
        let folder = try Folder()
        var request = Sample.request(1)
        request.fields = FieldSection()
        request.size = .unknown
        var end = Sample.end(1, total: nil)
        end.timings = ExchangeTimings(dns: 2_000, wait: 3_000)
        // Known to be nothing, which is not unknown.
        end.share = ConnectionShare()
        let connection = ConnectionRecord(
            connection: ConnectionID(1), process: request.process, localAddress: "", remoteAddress: "",
            openedAt: Sample.moment(1))
        var silent = connection
        silent.connection = ConnectionID(2)
        silent.tls = ConnectionRecord.TLS()
        silent.load.plaintext = .zero
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(request), .end(end), .connection(connection), .connection(silent)])
        try writer.close()
        let reader = try StoreReader.open(folder.file())
        // The time from start to end is known all the same.
        end.timings.total = end.endedAt.nanoseconds - request.startedAt.nanoseconds
        #expect(try reader.exchanges() == [StoredExchange(Exchange(request: request, response: nil, end: end))])
        #expect(try reader.connections() == [connection, silent].map { StoredConnection($0) })
    }

    @Test(arguments: [
        ExchangeEnd.Outcome.completed, .cancelled, .timedOut, .abandoned, .incomplete,
        .failed(ExchangeFailure(.libcurl, code: 7, message: "x")),
        .failed(ExchangeFailure(.urlSession, code: 7, message: "x")),
        .failed(ExchangeFailure(.init("a domain of its own"), code: -7, message: "")),
    ])
    func everyOutcomeComesBack(_ outcome: ExchangeEnd.Outcome) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(Sample.request(1)), .end(Sample.end(1, outcome: outcome))])
        try writer.close()
        #expect(try StoreReader.open(folder.file()).exchanges().first?.end?.outcome == outcome)
    }

    @Test func fieldLinesComeBackByteForByteWhateverTheyHold() throws {
        let folder = try Folder()
        let odd = [
            "Date: Fri, 21 Nov 2025 00:00:31 GMT\r\n", "Date: Sat, 21 Nov 2025 00:00:31 GMT\r\n",
            "Date: Fri, 21 Nov 2025 24:00:61 GMT\r\n", "Content-Length: 007\r\n", "Content-Length:42\r\n",
            "Content-Length: \r\n", "Content-Length: 99999999999999999999\r\n", "ETag: \"0123abcd\"\r\n",
            "ETag: W/\"0123abcd\"\r\n", "ETag: \"\"\r\n", "X-Request-Id: 6f1c2d3e-0000-4abc-8def-0123456789ab\r\n",
            "X-Request-Id: 6F1C2D3E-0000-4ABC-8DEF-0123456789AB\r\n", "X-Request-Id: deadbeef00\r\n",
            "X-Request-Id: abc\r\n", "Age: 5\n", "no colon at all\r\n", ": empty name\r\n", "\u{0}\u{1}: \u{2}\r\n",
            "Expires: Thu, 01 Jan 1970 00:00:00 GMT\r\n", "Expires: 0\r\n",
            "Last-Modified: Mon, 29 Feb 2096 12:34:56 GMT\r\n",
            "Age: 1\r\n 2\r\n", "X-Long: \(String(repeating: "é", count: 900))\r\n", "unended",
        ]
        let writer = try StoreWriter.open(folder.file())
        var told: [FieldSection] = []
        for number in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(number))
            var lines = (0..<Int.random(in: 0...9, using: &generator)).map { _ in odd.randomElement(using: &generator)!
            }
            lines.append("X-New: \(number)\r\n")
            told.append(FieldSection(bytes: Array(lines.joined().utf8)))
            var request = Sample.request(Int64(number + 1))
            request.fields = told[number]
            try writer.write([.request(request)])
        }
        try writer.close()
        #expect(try StoreReader.open(folder.file()).exchanges().map(\.request.fields) == told)
    }

    @Test func laterAttemptsPointToTheRowOfTheirTask() throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file())
        try first.write(Sample.events(1))
        let second = try StoreWriter.open(folder.file())
        var later = Sample.request(2)
        later.task = ExchangeID(1)
        later.resendCount = 1
        try second.write(Sample.events(1))
        try second.write([.request(later)])
        let exchanges = try StoreReader.open(folder.file()).exchanges()
        #expect(exchanges.map(\.id.rawValue) == [1, 2, 3])
        #expect(exchanges.map(\.task.rawValue) == [1, 2, 2])
        #expect(exchanges.map(\.request.resendCount) == [0, 0, 1])
        var filter = ExchangeFilter()
        filter.task = StoredExchange.ID(2)
        #expect(try StoreReader.open(folder.file()).exchanges(filter).map(\.id.rawValue) == [2, 3])
    }
}
