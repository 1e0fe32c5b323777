import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// libcurl resolves names over HTTPS by handles that it makes for itself.
    @Suite(
        .serialized,
        .enabled(if: ["openssl", "stunnel"].allSatisfy { Tool.path(of: $0) != nil }, "needs openssl and stunnel4"))
    struct Resolver {
        private let sink = RecordingSink()
        /// Every name resolves to 127.0.0.1 (RFC 1035, section 4.1).
        private static let answer: [UInt8] =
            [0, 0, 0x81, 0x80, 0, 0, 0, 1, 0, 0, 0, 0] + [0, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
        private let origin = LoopbackOrigin { request in
            request.target == "/dns-query"
                ? .respond(fields: ["Content-Type: application/dns-message"], body: .sized(Self.answer))
                : .respond(body: .text("hello"))
        }

        private func run(_ program: Program, _ front: TLSFront, path: String = "/a") {
            let easy = program.handle(path)
            cc_set_text(easy, Int32(CC_URL.rawValue), "http://wanted.test:\(origin.port)\(path)")
            cc_set_text(easy, Int32(CC_DOH_URL.rawValue), front.address + "/dns-query")
            cc_set_text(easy, Int32(CC_CAINFO.rawValue), front.certificateFile)
            program.perform(easy)
        }

        @Test("inside the process that asks: each question is an exchange, on its connection")
        func inside() throws {
            try origin.start()
            defer { origin.stop() }
            let front = try TLSFront(originPort: origin.port, version: .tls13)
            defer { front.stop() }
            let observer = try CurlObserver(sink: sink)
            do {
                let program = Program(base: origin.address)
                run(program, front)
                run(program, front, path: "/b")
                withExtendedLifetime(program) {}
            }
            #expect(wwt_running() == 0)
            observer.stop()
            #expect(sink.losses == [])
            let questions = sink.requests.filter { $0.path == "/dns-query" }
            #expect(questions.map(\.method) == Array(repeating: "POST", count: questions.count))
            #expect(questions.count >= 2)
            #expect(sink.requests.filter { $0.host == "wanted.test" }.map(\.path) == ["/a", "/b"])
            #expect(sink.ends.map(\.outcome) == Array(repeating: .completed, count: sink.requests.count))
            #expect(sink.ends.allSatisfy { $0.connection != nil })
            #expect(sink.requests.reduce(0) { $0 + $1.size.known.bytes } == Int64(origin.receivedBytes))
            #expect(sink.responses.reduce(0) { $0 + $1.size.known.bytes } == Int64(origin.sentBytes))
        }

        @Test("what the program does and gets does not change, and nothing goes on when the tap has stopped")
        func unchanged() throws {
            try origin.start()
            defer { origin.stop() }
            let front = try TLSFront(originPort: origin.port, version: .tls13)
            defer { front.stop() }
            func notes(_ before: () throws -> Void) rethrows -> String {
                let program = Program(base: origin.address)
                try before()
                run(program, front)
                return program.text
            }
            let alone = notes {}
            let observer = try CurlObserver(sink: sink)
            #expect(notes {} == alone)
            observer.stop()
            #expect(wwt_hooked_slots() == 0)
            let counted = sink.requests.count
            #expect(notes {} == alone)
            #expect(sink.requests.count == counted)
        }
    }
}
