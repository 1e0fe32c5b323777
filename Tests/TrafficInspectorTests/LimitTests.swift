import Foundation
import TestSupport
import Testing

@testable import TrafficInspector

/// Bad callers do not disturb the application.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct LimitTests {
    @Test func aHeadOfAnyLengthIsRefused() async throws {
        let shown = try await Shown()
        let reply = try await shown.ask("/api/v1/overview", fields: ["X: \(String(repeating: "a", count: 40_000))"])
        #expect(reply.status == 431)
        let endless = Array("GET / HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 8 << 20)
        #expect(Reply(try await shown.send(endless)).status == 431)
        #expect(try await shown.ask("/api/v1/overview").status == 200)
    }

    @Test func aLargeBodyIsRefused() async throws {
        let shown = try await Shown()
        let reply = try await shown.ask(
            "/api/v1/pause", method: "POST", fields: ["X-Wireweight: 1"], body: String(repeating: "a", count: 100_000))
        #expect(reply.status == 413)
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
    ])
    func whatIsNoRequestIsRefused(text: String) async throws {
        let shown = try await Shown()
        let reply = Reply(try await shown.send(Array(text.utf8)))
        #expect(reply.status == 400)
        #expect(reply.head.contains("Connection: close"))
        #expect(try await shown.ask("/api/v1/overview").status == 200)
    }

    @Test func randomBytesAreSurvived() async throws {
        let shown = try await Shown()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let bytes = (0..<Int.random(in: 1...5_000)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            _ = try await shown.send(bytes + Array("\r\n\r\n".utf8))
        }
        #expect(try await shown.ask("/api/v1/overview").status == 200)
    }

    @Test func requestsThatComeInPiecesAndTogetherAreAnsweredInOrder() async throws {
        let shown = try await Shown()
        let client = try RawClient(port: shown.port)
        let host = "Host: 127.0.0.1:\(shown.port)\r\n"
        let text =
            "GET /api/v1/overview HTTP/1.1\r\n\(host)\r\nGET /nothing HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
        for byte in text.utf8.prefix(20) { client.write([byte]) }
        client.write(Array(text.utf8.dropFirst(20)))
        let answer = String(decoding: client.read { _ in false }, as: UTF8.self)
        let first = try #require(answer.range(of: "HTTP/1.1 200 OK"))
        let second = try #require(answer.range(of: "HTTP/1.1 404 Not Found"))
        #expect(first.lowerBound < second.lowerBound)
    }

    @Test func beyondTheLimitOfConnectionsCallersAreTurnedAway() async throws {
        let shown = try await Shown()
        var held: [RawClient] = []
        let request = Array("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(shown.port)\r\n\r\n".utf8)
        for _ in 0..<200 {
            let client = try RawClient(port: shown.port)
            client.write(request)
            held.append(client)
        }
        // 200 pages watch, and the next is answered as the first was.
        for client in held {
            let begin = client.read { $0.count > 100 }
            #expect(begin.starts(with: Array("HTTP/1.1 200 OK\r\n".utf8)))
        }
        #expect(try await shown.ask("/api/v1/overview").status == 200)
        for _ in 0..<80 { held.append(try RawClient(port: shown.port)) }
        try await Task.sleep(for: .milliseconds(300))
        let status = (try? await shown.ask("/api/v1/overview").status) ?? 0
        #expect(status == 503 || status == 0)
        held = []
        // Those that are gone make room.
        var answered = 0
        for _ in 0..<100 where answered != 200 {
            try await Task.sleep(for: .milliseconds(200))
            answered = (try? await shown.ask("/api/v1/overview").status) ?? 0
        }
        #expect(answered == 200)
    }

    @Test func aTakenPortIsSaid() async throws {
        let shown = try await Shown()
        let port = shown.port
        let error = await #expect(throws: InspectorError.self) { _ = try await Shown { $0.port = port } }
        #expect(error?.description == "port \(port) of 127.0.0.1 is taken; use another, or 0 for any that is free")
        let wrong = await #expect(throws: InspectorError.self) { _ = try await Shown { $0.address = "nowhere" } }
        #expect(wrong?.description == "'nowhere' is not an IP address; use 127.0.0.1, or an address of this machine")
        let foreign = await #expect(throws: InspectorError.self) { _ = try await Shown { $0.address = "192.0.2.1" } }
        #expect(
            foreign?.description == "192.0.2.1 is not an address of this machine; use one that it has, or 127.0.0.1")
    }

    @Test func stoppingFreesThePort() async throws {
        var again: Shown?
        // Between the two somebody else may take the port.
        for _ in 0..<5 where again == nil {
            let shown = try await Shown()
            shown.inspector.stop()
            shown.inspector.stop()
            let port = shown.port
            again = try? await Shown { $0.port = port }
        }
        #expect(try await again?.ask("/api/v1/overview").status == 200)
    }
}
