import ConnectionAccounts
import Foundation
import HTTPWire
import Testing
import TrafficModel

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the counts of a transaction say about the parts of its messages.
@Suite struct TransactionSizesTests {
    private static let url = "https://example.com/upload"

    private func upload(
        _ content: Int64, sent: Int64, response: Bool = true, ended: Bool = true
    ) -> PlainTransaction {
        var transaction = PlainTransaction(Self.url, status: response ? 201 : nil)
        transaction.count(up: 200, sent, down: 100, 0, 0)
        transaction.countOfRequestBodyBytesBeforeEncoding = content
        transaction.requestEndDate = ended ? Date(timeIntervalSince1970: 1) : nil
        return transaction
    }

    private func download(
        _ content: Int64, received: Int64, fields: [String: String] = [:]
    ) -> PlainTransaction {
        var transaction = PlainTransaction(Self.url, status: 200, fields: fields)
        transaction.count(up: 200, 0, down: 100, received, content)
        return transaction
    }

    private func sent(_ transaction: PlainTransaction) -> WireSize {
        TransactionSizes.request(transaction, httpVersion: "1.1")
    }

    private func received(_ transaction: PlainTransaction, isComplete: Bool = true) -> WireSize {
        TransactionSizes.response(transaction, httpVersion: "1.1", isComplete: isComplete)
    }

    @Test func anUploadsContentAndItsFramingAreBothReported() {
        // One chunk of 1,000 bytes: `3e8`, two line ends, and the last chunk.
        let size = sent(upload(1_000, sent: 1_012))
        #expect(size.body == .init(1_000, .reported))
        #expect(size.framing == .init(12, .reported))
        #expect(size.total == 1_212)
        #expect(size.evidence == .reported)
    }

    @Test func aDownloadsContentAndItsFramingAreBothReported() {
        let size = received(download(5_000, received: 5_013))
        #expect(size.body == .init(5_000, .reported))
        #expect(size.framing == .init(13, .reported))
        #expect(size.total == 5_113)
    }

    @Test("What a protocol class of the program's has answered has no sizes: the system counts 0, and saw no network")
    func loadedElsewhere() {
        var transaction = PlainTransaction(Self.url, status: 200, fields: ["Content-Length": "5"])
        transaction.count(up: 0, 0, down: 0, 0, 5)
        transaction.fetchType = .unknown
        #expect(sent(transaction) == .unknown)
        #expect(received(transaction) == .unknown)
        // A connection that was tried, and refused, is a network: nothing was sent.
        transaction.connectStartDate = Date(timeIntervalSince1970: 1)
        #expect(sent(transaction).total == 0)
    }

    /// Each of these has all its bytes in the body, as they were counted.
    @Test(
        arguments: [
            // A stream whose length the system does not know, and content that was not asked for.
            (0, 300), (-1, 300),
            // More framing than frames of one byte have.
            (10, 109),
            // The upload was cut.
            (400, 300),
        ] as [(Int64, Int64)])
    func countsThatCannotBeOfOneBodyAreNotSeparated(content: Int64, counted: Int64) {
        for size in [sent(upload(content, sent: counted)), received(download(content, received: counted))] {
            #expect(size.body == .init(ByteCount(counted), .reported))
            #expect(size.framing == .init(0, .reported))
        }
    }

    @Test func framesOfOneByteAreTheMostFraming() {
        #expect(sent(upload(10, sent: 108)).framing == .init(98, .reported))
        #expect(sent(upload(.max, sent: .max)).framing == .init(0, .reported))
    }

    @Test func anUploadThatDidNotEndOrGotNoResponseIsNotSeparated() {
        for transaction in [upload(10, sent: 20, response: false), upload(10, sent: 20, ended: false)] {
            #expect(sent(transaction).body == .init(20, .reported))
        }
    }

    @Test func codedContentIsNotWhatTheProgramGot() {
        let coded = download(1_000, received: 1_100, fields: ["Content-Encoding": "br"])
        #expect(received(coded).body == .init(1_100, .reported))
        let plain = download(1_000, received: 1_100, fields: ["Content-Encoding": "identity"])
        #expect(received(plain).body == .init(1_000, .reported))
    }

    @Test func aResponseThatWasCutIsNotSeparated() {
        #expect(received(download(1_000, received: 1_010), isComplete: false).body == .init(1_010, .reported))
    }

    @Test func cookiesAreEstimatedInsideTheFields() {
        var transaction = download(0, received: 0, fields: ["Set-Cookie": "a=1; Path=/, b=2"])
        transaction.request.setValue("a=1; b=2", forHTTPHeaderField: "Cookie")
        let (request, response) = (sent(transaction), received(transaction))
        #expect(request.cookies == .init(ByteCount("Cookie: a=1; b=2\r\n".utf8.count), .reconstructed))
        #expect(
            response.cookies
                == .init(ByteCount("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\n".utf8.count), .reconstructed))
        #expect(request.evidence == .reported)
        #expect(request.total == 200)
    }

    @Test func cookiesAreNoMoreThanTheFields() {
        var transaction = download(0, received: 0, fields: ["Set-Cookie": String(repeating: "c", count: 500)])
        transaction.request.setValue(String(repeating: "c", count: 500), forHTTPHeaderField: "Cookie")
        #expect(sent(transaction).cookies == .init(200, .reconstructed))
        #expect(received(transaction).cookies == .init(100, .reconstructed))
        transaction.countOfRequestHeaderBytesSent = -1
        #expect(sent(transaction).cookies == .unknown)
    }

    private func exchange(_ fields: [String: String], up: Int64, down: Int64) -> PlainTransaction {
        var transaction = PlainTransaction(Self.url, status: 404, fields: fields)
        transaction.request.setValue("example.com", forHTTPHeaderField: "Host")
        transaction.count(up: up, 0, down: down, 0, 0)
        return transaction
    }

    /// "GET /upload HTTP/1.1", "Host: example.com", "HTTP/1.1 404 Not Found" and "Age: 7", with a line end each.
    @Test(arguments: ["1.1", "1.0"])
    func aStartLineIsSeparatedWhereTheCountConfirmsIt(version: String) {
        let transaction = exchange(["Age": "7"], up: 22 + 19 + 2, down: 24 + 8 + 2)
        let request = TransactionSizes.request(transaction, httpVersion: version)
        let response = TransactionSizes.response(transaction, httpVersion: version, isComplete: true)
        #expect([request.startLine, request.fields] == [.init(22, .reported), .init(21, .reported)])
        #expect([response.startLine, response.fields] == [.init(24, .reported), .init(10, .reported)])
        #expect([request.evidence, response.evidence] == [.reported, .reported])
    }

    @Test("a request in the clear to a proxy names the whole URL")
    func aRequestToAProxy() {
        let transaction = exchange([:], up: 22 + 19 + 19 + 2, down: 0)
        #expect(sent(transaction).startLine == .init(22 + 19, .reported))
    }

    /// A byte more or less, as by another reason phrase or a field that the system hides, and versions without the line.
    @Test(arguments: [(44, "1.1"), (42, "1.1"), (43, "2"), (43, "3"), (43, ""), (-1, "1.1")] as [(Int64, String)])
    func whatTheCountDoesNotConfirmStaysWithTheFields(count: Int64, version: String) {
        let transaction = exchange(["Age": "7"], up: count, down: count < 0 ? -1 : count - 9)
        for size in [
            TransactionSizes.request(transaction, httpVersion: version),
            TransactionSizes.response(transaction, httpVersion: version, isComplete: true),
        ] {
            #expect(size.startLine == .init(0, .reported))
            #expect(size.fields.evidence == (count < 0 ? .unknown : .reported))
            #expect(size.known.bytes == (count < 0 ? 0 : size.fields.bytes.bytes))
        }
    }

    @Test func aRequestWithoutVisibleCookiesMayHaveSome() {
        #expect(sent(download(0, received: 0)).cookies == .unknown)
        #expect(received(download(0, received: 0)).cookies == .init(0, .reconstructed))
    }
}

/// What the system reports of TLS.
@Suite struct TransactionTLSTests {
    @Test(
        arguments: [
            (0x0304, 0x1302, "TLSv1.3", "TLS_AES_256_GCM_SHA384"),
            (0x0303, 0xC02F, "TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            (0x0302, 0x000A, "TLSv1.1", "TLS_RSA_WITH_3DES_EDE_CBC_SHA"),
            (0x0301, 0x00FF, "TLSv1", "0x00FF"), (0xFEFD, nil, "0xFEFD", ""),
            (nil, 0x1301, "", "TLS_AES_128_GCM_SHA256"),
        ] as [(UInt16?, UInt16?, String, String)])
    func numbersHaveTheNamesOfTheRegistry(version: UInt16?, suite: UInt16?, name: String, cipher: String) {
        let tls = ConnectionRecord.TLS(protocolVersion: version, cipherSuite: suite)
        #expect(tls == ConnectionRecord.TLS(version: name, cipher: cipher))
    }

    @Test func withoutNumbersThereIsNoTLS() {
        #expect(ConnectionRecord.TLS(protocolVersion: nil, cipherSuite: nil) == nil)
    }
}
