import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// All that is HTTP is an exchange, whatever the URL; all else is its connection's.
    @Suite(.serialized) struct Foreign {
        private let sink = RecordingSink()

        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        private static let switching =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"

        /// Meters one transfer.
        ///
        /// - Parameters:
        ///   - answer: what the server sends.
        ///   - configure: sets options, with the server's address.
        /// - Returns: the server.
        /// - Throws: where no server can be started, or no observer.
        private func metered(
            _ answer: Script, _ configure: (UnsafeMutableRawPointer?, LoopbackOrigin) -> Void
        ) throws -> LoopbackOrigin {
            let origin = LoopbackOrigin { _ in answer }
            try origin.start()
            defer { origin.stop() }
            let observer = try CurlObserver(sink: sink)
            do {
                let program = Program(base: origin.address)
                let easy = program.handle("/a")
                configure(easy, origin)
                program.perform(easy)
                withExtendedLifetime(program) {}
            }
            observer.stop()
            #expect(sink.losses == [])
            return origin
        }

        @Test("a request for FTP through a proxy of HTTP")
        func proxy() throws {
            let origin = try metered(.write(Self.answer, as: .body)) { easy, origin in
                cc_set_text(easy, Int32(CC_URL.rawValue), "ftp://f.test/f")
                cc_set_text(easy, Int32(CC_PROXY.rawValue), origin.address)
            }
            let request = try #require(sink.requests.first)
            #expect([request.method, request.scheme, request.host, request.path] == ["GET", "ftp", "f.test", "/f"])
            #expect(sink.requests.map(\.size.known.bytes) == [Int64(origin.receivedBytes)])
            #expect(sink.responses.map(\.size.known.bytes) == [Int64(origin.sentBytes)])
            #expect(sink.ends.map(\.outcome) == [.completed])
        }

        @Test("what follows a 101 is in no message, and in its connection's count")
        func switched() throws {
            let origin = try metered(.write(Self.switching + "something else", as: .body) + .close) { easy, _ in
                cc_set_field(easy, "Upgrade: other")
                cc_set_field(easy, "Connection: Upgrade")
            }
            #expect(sink.responses.map(\.status) == [101])
            #expect(sink.responses.map(\.size.known) == [ByteCount(Self.switching.utf8.count)])
            #expect(sink.responses.first?.size.body == .captured(0))
            #expect(sink.requests.map(\.size.known.bytes) == [Int64(origin.receivedBytes)])
            #expect(sink.connections.map(\.payloadDown) == [ByteCount(origin.sentBytes)])
        }

        @Test("a connection that the program wants for itself is no exchange, and in the ledger")
        func connectOnly() throws {
            _ = try metered(.write(Self.answer, as: .body)) { easy, _ in
                // CURLOPT_CONNECT_ONLY
                cc_set_long(easy, 141, 1)
            }
            #expect(sink.requests.isEmpty)
            #expect(sink.connections.map(\.payloadUp) == [0])
            #expect(sink.connections.map { $0.closedAt != nil } == [true])
        }
    }
}
