import CCurlClient
import CCurlTap
import Testing
import WireweightTesting

/// Whether libcurl is older than 8.7; from then on the tap sends the headers of each response at once.
private let holdsHeads: Bool = {
    let words = String(cString: wwt_libcurl_version()).split(whereSeparator: { $0 == "/" || $0 == " " })
    let numbers = (words.count > 1 ? words[1] : "").split(separator: ".").compactMap { Int($0) }
    return numbers.count > 1 && (numbers[0], numbers[1]) < (8, 7)
}()

extension TapTests {
    /// Which frames the tap sends together.
    @Suite(.serialized) struct Messages {
        /// The kinds of frames of each message.
        private final class Log {
            var messages: [[wwt_frame_kind]] = []
        }

        /// What the tap sends while `body` runs.
        private func messages(_ body: () -> Void) -> [[wwt_frame_kind]] {
            let log = Log()
            var settings = wwt_settings()
            settings.context = Unmanaged.passUnretained(log).toOpaque()
            settings.emit = { context, frames, count, _ in
                guard let context, let frames else { return false }
                var kinds: [wwt_frame_kind] = []
                var offset = 0
                while offset < count {
                    let frame = UnsafeRawPointer(frames + offset).loadUnaligned(as: wwt_frame.self)
                    kinds.append(wwt_frame_kind(frame.kind))
                    offset += Int(frame.size)
                }
                Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().messages.append(kinds)
                return true
            }
            #expect(wwt_start(&settings) == WWT_OK)
            body()
            wwt_stop()
            return log.messages
        }

        private func withOrigin<Result>(_ body: (Program) throws -> Result) throws -> Result {
            let origin = LoopbackOrigin { request in
                switch request.path {
                case "/moved": .respond("302 Found", fields: ["Location: /empty"], body: .text(""))
                default: .respond(body: .text(""))
                }
            }
            try origin.start()
            defer { origin.stop() }
            return try body(Program(base: origin.address))
        }

        private static let request = [WWT_BEGIN, WWT_REQUEST, WWT_CONNECTION, WWT_HEAD_OUT]

        @Test(.enabled(if: holdsHeads, "libcurl 8.7 or newer"))
        func theHeadersOfAResponseTravelWithTheEndThatFollowsAtOnce() throws {
            try withOrigin { program in
                let sent = messages { _ = cc_perform(program.handle("/empty")) }
                #expect(sent.prefix(2) == [Self.request, [WWT_HEAD_IN, WWT_END]])
            }
        }

        @Test func theHeadersOfARedirectAreSentBeforeTheNextRequest() throws {
            try withOrigin { program in
                let sent = messages {
                    let easy = program.handle("/moved")
                    program.set(easy, CC_FOLLOWLOCATION.rawValue, 1)
                    _ = cc_perform(easy)
                }
                #expect(sent.count > 2 && sent[1] == [WWT_HEAD_IN], "\(sent)")
            }
        }

        @Test func headersDoNotWaitIfTheProgramsProgressFunctionIsCalledBeforeTheEnd() throws {
            try withOrigin { program in
                let sent = messages {
                    let easy = program.handle("/empty")
                    program.set(easy, CC_NOPROGRESS.rawValue, 0)
                    _ = cc_perform(easy)
                }
                #expect(sent.prefix(3) == [Self.request, [WWT_HEAD_IN], [WWT_END]])
            }
        }

        @Test func headersDoNotWaitInAMultiHandleWhoseProgramMayDoAnythingInBetween() throws {
            try withOrigin { program in
                let multi = cc_multi_init()
                let sent = messages {
                    let easy = program.handle("/empty")
                    cc_multi_add(multi, easy)
                    program.run(multi)
                    cc_multi_remove(multi, easy)
                }
                cc_multi_cleanup(multi)
                #expect(sent.dropFirst().first == [WWT_HEAD_IN], "\(sent)")
            }
        }
    }
}
