import Foundation
import TestSupport
import Testing

@testable import TrafficOrigin
@testable import WireweightTesting

@Suite("The loopback origin")
struct LoopbackOriginTests {
    /// The only connection, once it is closed on both sides.
    private func closedConnection(of origin: LoopbackOrigin) throws -> OriginConnectionLog {
        for _ in 0..<15_000 {
            if origin.connections.first?.isClosed == true { break }
            Thread.sleep(forTimeInterval: 0.002)
        }
        let connection = try #require(origin.connections.first)
        #expect(connection.isClosed)
        return connection
    }

    @Test("writes the very bytes of its script and counts each part")
    func literalBytes() throws {
        try withOrigin { _ in
            .respond("200 Fine", fields: ["X: 1", "set-cookie: a=b", "SET-COOKIE:c"], body: .text("body!"))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            let request = "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            client.send(request)
            let answer =
                "HTTP/1.1 200 Fine\r\nX: 1\r\nset-cookie: a=b\r\nSET-COOKIE:c\r\nContent-Length: 5\r\n\r\nbody!"
            #expect(text(client.read()) == answer)
            client.close()
            #expect(origin.waitUntilIdle())
            let exchange = try #require(origin.exchanges.first)
            #expect(exchange.target == "/x")
            #expect(exchange.request == MessageBytes(startLine: 17, fields: 9 + 19 + 2))
            #expect(
                exchange.response
                    == MessageBytes(startLine: 19, fields: 6 + 17 + 14 + 19 + 2, cookies: 31, body: 5))
            #expect(text(exchange.requestLog.kept) == request)
            #expect(text(exchange.responseLog.kept) == answer)
            #expect(exchange.isComplete)
            #expect(origin.receivedBytes == request.utf8.count)
            #expect(origin.sentBytes == answer.utf8.count)
        }
    }

    @Test("keeps a connection and takes pipelined requests apart")
    func pipelined() throws {
        try withOrigin { request in
            .respond(body: .text(request.target))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send(
                "POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\n\r\n"
                    + "GET /3 HTTP/1.1\r\nConnection: close\r\n\r\n")
            _ = client.read()
            client.close()
            #expect(origin.waitUntilIdle())
            #expect(origin.exchanges.map(\.target) == ["/1", "/2", "/3"])
            #expect(origin.exchanges.map(\.request.total) == [18 + 21 + 3, 17 + 2, 17 + 19 + 2])
            #expect(origin.connections.count == 1)
        }
    }

    @Test("answers 100-continue before it reads the body")
    func continues() throws {
        try withOrigin { _ in
            .interim("100 Continue") + Script([.then { .respond(body: .sized($0.body.reversed())) }])
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
            #expect(text(client.read(25)) == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("abc")
            #expect(text(client.read()) == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ncba")
            client.close()
            #expect(origin.waitUntilIdle())
            #expect(origin.exchanges.first?.response == MessageBytes(startLine: 17, fields: 21, interim: 25, body: 3))
        }
    }

    @Test("frames chunks as scripted")
    func chunks() throws {
        try withOrigin { _ in
            .respond(
                body: .chunked(
                    [.init(Array("hello".utf8), chunkExtension: ";a=b", spelledSize: "0005"), .init([0x21])],
                    trailers: ["X-Sum: 1"]))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            #expect(text(client.read()) == head + "0005;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n")
            client.close()
            #expect(origin.waitUntilIdle())
            #expect(
                origin.exchanges.first?.response
                    == MessageBytes(startLine: 17, fields: head.utf8.count - 17, body: 6, framing: 12 + 3 + 2 + 15))
        }
    }

    @Test("a FIN after part of the body delivers all that was written")
    func cut() throws {
        try withOrigin { _ in
            .respond(body: .truncated(Script.pattern(count: 5_000), promised: 9_000))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(client.read().count == origin.sentBytes)
            client.close()
            #expect(origin.waitUntilIdle())
            let connection = try closedConnection(of: origin)
            #expect(origin.exchanges.first?.response.body == 5_000)
            #if os(Linux)
                #expect(connection.kernel?.acknowledged == connection.sentBytes)
            #endif
        }
    }

    @Test("a RST ends the connection with an error, after delivery")
    func reset() throws {
        try withOrigin { _ in
            .respond(body: .lengthOnly(10)) + .write("abc", as: .body) + .reset
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            Thread.sleep(forTimeInterval: 0.1)
            _ = client.read()
            client.close()
            #expect(origin.waitUntilIdle())
            let connection = try closedConnection(of: origin)
            #expect(origin.exchanges.first?.response.body == 3)
            #expect(origin.exchanges.first?.isComplete == true)
            #if os(Linux)
                #expect(connection.kernel?.acknowledged == connection.sentBytes)
            #endif
        }
    }

    @Test("a client that goes away in mid-body leaves exact counts, and the parts of what it took")
    func clientGone() throws {
        try withOrigin(keptBytes: 100) { _ in
            .respond(body: .fill(50_000_000))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            _ = client.read(100_000)
            client.reset()
            #expect(origin.waitUntilIdle())
            let exchange = try #require(origin.exchanges.first)
            #expect(!exchange.isComplete)
            #expect(exchange.response.total == origin.sentBytes)
            #expect(exchange.response.body < 50_000_000)
            #expect(exchange.responseLog.kept.count == 100)
            #expect(exchange.response(upTo: 1_000).total == 1_000)
            #expect(
                exchange.response(upTo: 1_000).body == 1_000 - exchange.response.startLine - exchange.response.fields)
        }
    }

    @Test("serves 250 connections at once, each counted")
    func concurrent() async throws {
        let origin = LoopbackOrigin { request in .pause(milliseconds: 50) + .respond(body: .text(request.target)) }
        try origin.start()
        defer { origin.stop() }
        let port = origin.port
        let clients = try (0..<250).map { number in
            let client = try RawClient(port: port)
            client.send("GET /\(number + 100) HTTP/1.1\r\nConnection: close\r\n\r\n")
            return client
        }
        let received = clients.map { client in
            defer { client.close() }
            return client.read().count
        }
        #expect(origin.waitUntilIdle())
        #expect(Set(origin.exchanges.map(\.target)).count == 250)
        #expect(origin.receivedBytes == 250 * (19 + 19 + 2))
        #expect(origin.sentBytes == received.reduce(0, +))
        #expect(received.allSatisfy { $0 == 17 + 19 + 2 + 4 })
    }

    @Test("moves 50 MB each way with bounded memory and exact counts")
    func large() throws {
        try withOrigin(keptBytes: 1_000) { request in
            request.method == "PUT"
                ? .respond("204 No Content") : .respond(body: .fillChunks(count: 50, size: 1_000_000))
        } _: { origin in
            let client = try RawClient(port: origin.port)
            client.send("PUT / HTTP/1.1\r\nContent-Length: 50000000\r\n\r\n")
            let piece = Script.pattern(count: 1_000_000)
            for _ in 0..<50 { client.send(piece) }
            client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            var count = 0
            while case let bytes = client.read(1_000_000), !bytes.isEmpty { count += bytes.count }
            client.close()
            #expect(origin.waitUntilIdle())
            #expect(origin.exchanges.map(\.request.body) == [50_000_000, 0])
            #expect(origin.exchanges.map(\.response.body) == [0, 50_000_000])
            #expect(origin.exchanges.last?.response.framing == 50 * 9 + 5)
            #expect(origin.sentBytes == count)
            #expect(origin.exchanges.allSatisfy { $0.requestLog.kept.count <= 70_000 })
        }
    }

    @Test("stops while connections hang, and may be asked afterwards")
    func stops() throws {
        let origin = LoopbackOrigin { _ in .hold }
        try origin.start()
        let client = try RawClient(port: origin.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        while origin.receivedBytes < 18 { Thread.sleep(forTimeInterval: 0.002) }
        origin.stop()
        client.close()
        #expect(origin.receivedBytes == 18)
        #expect(origin.exchanges.map(\.isComplete) == [false])
    }
}
