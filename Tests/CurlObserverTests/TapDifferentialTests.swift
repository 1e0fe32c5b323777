import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

/// The tap is one for the whole process, so its tests take turns.
@Suite(.serialized, .oneAtATime) struct TapTests {}

extension TapTests {
    /// With and without the tap a program sees the same calls, with the same bytes.
    @Suite(.serialized) struct Differential {
        struct Scenario: Sendable, CustomTestStringConvertible {
            var name: String
            var run: @Sendable (Program) -> Void
            var testDescription: String { name }
            init(_ name: String, _ run: @escaping @Sendable (Program) -> Void) {
                self.name = name
                self.run = run
            }
        }

        private static let verbose = CC_VERBOSE.rawValue

        static let scenarios: [Scenario] = [
            Scenario("a debug function in verbose mode") { program in
                let easy = program.handle("/ok")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                program.perform(easy)
            },
            Scenario("a debug function without verbose mode") { program in
                let easy = program.handle("/ok")
                cc_set_debug(easy, program.record)
                program.perform(easy)
            },
            Scenario("chunks, and a redirect") { program in
                let easy = program.handle("/chunked")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                program.perform(easy)
                cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/redirect")
                program.set(easy, CC_FOLLOWLOCATION.rawValue, 1)
                program.perform(easy)
            },
            Scenario("a debug function from the middle on") { program in
                let easy = program.handle("/slow")
                program.set(easy, verbose, 1)
                hideLog(easy, program)
                let context = Unmanaged.passUnretained(program).toOpaque()
                cc_set_hook(easy, { cc_set_debug($0, takeProgram($1).record) }, context)
                program.perform(easy)
            },
            Scenario("verbose mode from the middle on, then off") { program in
                let easy = program.handle("/slow")
                cc_set_debug(easy, program.record)
                let context = Unmanaged.passUnretained(program).toOpaque()
                cc_set_hook(easy, { takeProgram($1).set($0, verbose, 1) }, context)
                program.perform(easy)
                program.set(easy, verbose, 0)
                program.perform(easy)
            },
            Scenario("a debug function that is taken away in the middle") { program in
                let easy = program.handle("/slow")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                hideLog(easy, program)
                cc_set_hook(easy, { easy, _ in cc_set_debug(easy, nil) }, nil)
                program.perform(easy)
            },
            Scenario("another debug function the next time") { program in
                let easy = program.handle("/ok")
                program.set(easy, verbose, 1)
                hideLog(easy, program)
                program.perform(easy)
                cc_set_debug(easy, program.record)
                program.perform(easy)
            },
            Scenario("a log file in verbose mode") { program in
                let easy = program.handle("/ok")
                program.set(easy, verbose, 1)
                logged(easy, program)
            },
            // The first message of the handshake is enough.
            Scenario("a log file in verbose mode, over TLS") { program in
                guard let closing = try? ClosingOrigin() else { return }
                defer { closing.stop() }
                let easy = program.handle("/ok")
                cc_set_text(easy, Int32(CC_URL.rawValue), "https://127.0.0.1:\(closing.port)/ok")
                program.set(easy, verbose, 1)
                hideLog(easy, program)
                program.perform(easy)
                cc_set_pointer(easy, Int32(CC_STDERR.rawValue), nil)
                program.note("log: \(program.closeLog().replacing("\(closing.port)", with: "PORT"))")
            },
            // How often libcurl looks at its connections while it runs hangs on when bytes come.
            Scenario("connections that handles share under locks, as a handle is taken back") { program in
                let locks = cc_record_create()
                defer { cc_record_destroy(locks) }
                let share = cc_share_create(locks)
                let multi = cc_multi_init()
                for fields in ["X: 1", "X: 2", "Connection: close", "X: 3"] {
                    let easy = cc_init()
                    cc_set_pointer(easy, Int32(CC_SHARE.rawValue), share)
                    cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/ok")
                    cc_set_field(easy, fields)
                    cc_set_body(easy, program.record)
                    cc_multi_add(multi, easy)
                    program.run(multi)
                    let before = strlen(cc_record_text(locks))
                    cc_multi_remove(multi, easy)
                    program.note("locked \(strlen(cc_record_text(locks)) - before)")
                    cc_cleanup(easy)
                }
                cc_multi_cleanup(multi)
                program.note("destroyed \(cc_share_destroy(share))")
            },
            Scenario("a log file without verbose mode") { logged($0.handle("/ok"), $0) },
            Scenario("names asked for over HTTPS without verbose mode") { program in
                let easy = program.handle("/ok")
                cc_set_text(easy, Int32(CC_URL.rawValue), "http://no.such.name.example/")
                cc_set_text(easy, Int32(CC_DOH_URL.rawValue), "https://127.0.0.1:1/dns-query")
                logged(easy, program)
                // The log is the program's again.
                cc_set_text(easy, Int32(CC_DOH_URL.rawValue), nil)
                cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/ok")
                program.set(easy, verbose, 1)
                logged(easy, program)
            },
            Scenario("a function that closes sockets") { program in
                let easy = program.own(cc_init())
                cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/ok")
                cc_set_body(easy, program.record)
                cc_set_closer(easy, program.record)
                program.perform(easy)
            },
            Scenario("a function that closes sockets, set after the handle was added") { program in
                let multi = cc_multi_init()
                let easy = program.handle("/ok")
                program.note("add \(cc_multi_add(multi, easy))")
                cc_set_closer(easy, program.record)
                program.run(multi)
                program.note("remove \(cc_multi_remove(multi, easy))")
                cc_multi_cleanup(multi)
                program.note("end")
            },
            Scenario("a function that closes sockets, taken away after the handle was added") { program in
                let multi = cc_multi_init()
                let easy = program.handle("/ok")
                cc_set_closer(easy, program.record)
                program.note("add \(cc_multi_add(multi, easy))")
                cc_set_closer(easy, nil)
                program.run(multi)
                cc_multi_remove(multi, easy)
                cc_multi_cleanup(multi)
                program.note("end")
            },
            Scenario("a copy of a handle, made in between") { program in
                let easy = program.handle("/ok")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                program.perform(easy)
                let copy = program.own(cc_duplicate(easy))
                program.perform(copy)
                program.perform(easy)
            },
            Scenario("a copy of a handle that runs") { program in
                let easy = program.handle("/slow")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                let context = Unmanaged.passUnretained(program).toOpaque()
                cc_set_hook(easy, { takeProgram($1).copy = cc_duplicate($0) }, context)
                program.perform(easy)
                guard let copy = program.own(program.copy) else { return program.note("no copy") }
                cc_set_hook(copy, { _, _ in }, nil)
                program.perform(copy)
            },
            Scenario("a reset in between") { program in
                let easy = program.handle("/ok")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                program.perform(easy)
                cc_reset(easy)
                cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/ok")
                cc_set_body(easy, program.record)
                program.perform(easy)
                program.set(easy, verbose, 1)
                logged(easy, program)
            },
            Scenario("a reset in flight") { program in
                let multi = cc_multi_init()
                let easy = program.handle("/slow")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                cc_multi_add(multi, easy)
                program.run(multi, until: "hello")
                cc_reset(easy)
                cc_set_body(easy, program.record)
                program.note("reset")
                program.run(multi)
                cc_multi_remove(multi, easy)
                cc_multi_cleanup(multi)
            },
            Scenario("a cleanup in flight") { program in
                let multi = cc_multi_init()
                let easy = cc_init()
                cc_set_text(easy, Int32(CC_URL.rawValue), program.base + "/hold")
                cc_set_body(easy, program.record)
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                cc_multi_add(multi, easy)
                program.run(multi, until: "hello")
                cc_cleanup(easy)
                program.note("cleaned")
                cc_multi_cleanup(multi)
            },
            Scenario("a handle that is added twice, and to two multis") { program in
                let (one, two) = (cc_multi_init(), cc_multi_init())
                let easy = program.handle("/ok")
                cc_set_debug(easy, program.record)
                program.set(easy, verbose, 1)
                program.note("add \(cc_multi_add(one, easy)) \(cc_multi_add(one, easy)) \(cc_multi_add(two, easy))")
                program.note("perform \(cc_perform(easy))")
                program.run(one)
                program.note("remove \(cc_multi_remove(two, easy)) \(cc_multi_remove(one, easy))")
                program.note("remove \(cc_multi_remove(one, easy))")
                program.perform(easy)
                cc_multi_cleanup(one)
                cc_multi_cleanup(two)
            },
            Scenario("a handle that stays in its multi after the end") { program in
                let multi = cc_multi_init()
                let easy = program.handle("/ok")
                cc_multi_add(multi, easy)
                program.run(multi)
                cc_multi_cleanup(multi)
                program.perform(easy)
            },
            Scenario("handles that are none, and options that are none") { program in
                let easy = program.handle("/ok")
                for option in [-1, 0, 1, 41, 43, 9_999, 10_037, 10_095, 10_209, 10_279, 20_094, 20_208, 99_999] {
                    program.note("\(option): \(cc_set_long(nil, Int32(option), 0))")
                }
                for option in [-1, 0, 9_999, 99_999] {
                    program.note("\(option): \(cc_set_long(easy, Int32(option), 0))")
                }
                program.note("perform \(cc_perform(nil))")
                program.note("add \(cc_multi_add(nil, easy)) \(cc_multi_add(nil, nil))")
                let multi = cc_multi_init()
                program.note("add \(cc_multi_add(multi, nil)) remove \(cc_multi_remove(multi, nil))")
                program.note("remove \(cc_multi_remove(multi, easy)) \(cc_multi_remove(nil, easy))")
                cc_multi_cleanup(multi)
                cc_cleanup(nil)
                program.perform(easy)
            },
        ]

        @Test(arguments: scenarios)
        func theProgramSeesTheSame(_ scenario: Scenario) throws {
            let origin = try makeOrigin()
            defer { origin.stop() }
            // Their handles are cleaned up after the tap has stopped.
            var programs: [Program] = []
            func text() -> String {
                programs.append(Program(base: origin.address))
                scenario.run(programs[programs.count - 1])
                return programs[programs.count - 1].text
            }
            // On a busy machine, two pieces of a slow response may be read as one: what differs each time is the tap's.
            var (without, with) = ("", " ")
            for _ in 0..<3 where without != with {
                without = text()
                let observer = try CurlObserver(sink: RecordingSink())
                with = text()
                observer.stop()
            }
            #expect(with == without)
            #expect(!without.isEmpty)
            withExtendedLifetime(programs) {}
        }

        private static func hideLog(_ easy: UnsafeMutableRawPointer?, _ program: Program) {
            cc_set_pointer(easy, Int32(CC_STDERR.rawValue), program.openLog())
        }

        /// Performs with a log in memory, and notes what is in it.
        private static func logged(_ easy: UnsafeMutableRawPointer?, _ program: Program) {
            hideLog(easy, program)
            program.perform(easy)
            cc_set_pointer(easy, Int32(CC_STDERR.rawValue), nil)
            program.note("log: \(program.closeLog())")
        }
    }
}

func takeProgram(_ context: UnsafeMutableRawPointer?) -> Program {
    Unmanaged<Program>.fromOpaque(context!).takeUnretainedValue()
}
