import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Locks
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// Starting, stopping, forking.
    @Suite(.serialized) struct Life {
        private let origin: LoopbackOrigin
        private let sink = RecordingSink()

        init() throws { origin = try makeOrigin() }

        private func start(_ sink: RecordingSink? = nil) throws -> CurlObserver {
            try CurlObserver(sink: sink ?? self.sink)
        }

        private func slots() -> [UInt] {
            var values = [UInt](repeating: 0, count: cc_slots(nil, 0))
            _ = cc_slots(&values, values.count)
            return values
        }

        @Test func afterTheStopEverySlotHoldsWhatItHeld() throws {
            defer { origin.stop() }
            let program = Program(base: origin.address)
            // Lazy slots are filled by their first call.
            program.perform(program.handle("/ok"))
            _ = try start().stop()
            let before = slots()
            let observer = try start()
            #expect(slots() != before)
            #expect(wwt_hooked_slots() > 0)
            observer.stop()
            #expect(slots() == before)
            #expect(wwt_hooked_slots() == 0)
        }

        @Test func aHundredStartsAndStopsLeaveNothingBehind() throws {
            defer { origin.stop() }
            let program = Program(base: origin.address)
            let before = slots()
            for round in 0..<100 {
                let observer = try start()
                if round % 10 == 0 { program.perform(program.handle("/ok")) }
                observer.stop()
                #expect(wwt_hooked_slots() == 0)
                #expect(wwt_running() == 0)
            }
            #expect(sink.ends.count == 10)
            #expect(slots().count == before.count)
        }

        @Test func aSecondStartIsRefusedAndTheFirstGoesOn() throws {
            defer { origin.stop() }
            let observer = try start()
            #expect(throws: CurlObserver.Refusal.alreadyStarted) { try start() }
            let program = Program(base: origin.address)
            program.perform(program.handle("/ok"))
            observer.stop()
            #expect(sink.ends.count == 1)
        }

        @Test func aHandleFromBeforeTheStartIsNotTappedButCounted() throws {
            defer { origin.stop() }
            let program = Program(base: origin.address)
            let easy = program.handle("/ok")
            cc_set_debug(easy, program.record)
            program.set(easy, CC_VERBOSE.rawValue, 1)
            let observer = try start()
            program.perform(easy)
            #expect(program.text.contains("debug 2 "))
            #expect(wwt_untapped() == 1)
            // A reset begins a new history.
            cc_reset(easy)
            cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/none")
            program.perform(easy)
            observer.stop()
            #expect(sink.requests.map(\.path) == ["/none"])
            #expect(sink.losses == [TrafficLoss(reason: .untapped, count: 1)])
        }

        @Test func aStopInMidTransferLeavesTheTransferAndThenNoHooks() throws {
            defer { origin.stop() }
            let observer = try start()
            let program = Program(base: origin.address)
            let multi = cc_multi_init()
            let easy = program.handle("/slow")
            cc_set_debug(easy, program.record)
            program.set(easy, CC_VERBOSE.rawValue, 1)
            cc_set_closer(easy, program.record)
            cc_multi_add(multi, easy)
            program.run(multi, until: "hello")
            observer.stop()
            #expect(sink.ends.map(\.outcome) == [.abandoned])
            #expect(wwt_running() == 1)
            #expect(wwt_hooked_slots() > 0)
            let told = sink.events.count
            program.run(multi)
            cc_multi_remove(multi, easy)
            #expect(wwt_running() == 0)
            #expect(wwt_hooked_slots() == 0)
            #expect(program.text.contains("debug 3 5 world"))
            #expect(sink.events.count == told)
            // The program's own functions are in place again.
            cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/none")
            let before = program.text.count
            program.perform(easy)
            #expect(program.text.dropFirst(before).contains("204 No Content"))
            cc_multi_cleanup(multi)
        }

        @Test func aCopyOfAHandleThatRanIsTheProgramsOwnAfterTheStop() throws {
            defer { origin.stop() }
            let observer = try start()
            let program = Program(base: origin.address)
            let multi = cc_multi_init()
            let easy = program.handle("/slow")
            cc_set_debug(easy, program.record)
            cc_multi_add(multi, easy)
            program.run(multi, until: "hello")
            let copy = program.own(cc_duplicate(easy))
            program.run(multi)
            cc_multi_remove(multi, easy)
            cc_multi_cleanup(multi)
            observer.stop()
            #expect(!program.text.contains("debug"))
            program.perform(copy)
            // Verbose mode was ours.
            #expect(!program.text.contains("debug"))
            program.set(copy, CC_VERBOSE.rawValue, 1)
            program.perform(copy)
            #expect(program.text.contains("debug 2 "))
        }

        /// The program takes its close function away while the tap, already stopped, still waits for the end.
        @Test func whatTheProgramSetsAfterAStopInMidTransferHolds() throws {
            defer { origin.stop() }
            let observer = try start()
            let program = Program(base: origin.address)
            let multi = cc_multi_init()
            let easy = cc_init()
            cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/slow")
            cc_set_body(easy, program.record)
            cc_set_closer(easy, program.record)
            cc_multi_add(multi, easy)
            program.run(multi, until: "hello")
            observer.stop()
            cc_set_closer(easy, nil)
            program.run(multi)
            cc_multi_remove(multi, easy)
            cc_multi_cleanup(multi)
            let closes = program.text.components(separatedBy: "close").count
            cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/none")
            program.perform(easy)
            cc_cleanup(easy)
            #expect(program.text.components(separatedBy: "close").count == closes)
        }

        /// Handles are made and freed while the tap is off; the next one at the same address is another.
        @Test func aHandleDoesNotInheritFromOneThatWasCleanedUpUnseen() throws {
            defer { origin.stop() }
            let other = Program(base: origin.address)
            for _ in 0..<20 {
                let first = try start(RecordingSink())
                let old = cc_init()
                cc_set_debug(old, other.record)
                cc_set_long(old, Int32(CC_VERBOSE.rawValue), 1)
                cc_set_closer(old, other.record)
                first.stop()
                cc_cleanup(old)
                let second = try start(RecordingSink())
                let easy = cc_init()
                cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/none")
                #expect(cc_perform(easy) == 0)
                cc_cleanup(easy)
                second.stop()
            }
            #expect(other.text == "")
        }

        @Test func startingAndStoppingUnderLoadDisturbsNobody() throws {
            defer { origin.stop() }
            let base = origin.address
            let isOver = Atomic(false)
            let failures = Atomic(0)
            let group = DispatchGroup()
            for _ in 0..<6 {
                group.enter()
                Thread.detachNewThread {
                    while !isOver.load(ordering: .relaxed) {
                        let program = Program(base: base)
                        let easy = program.handle("/ok")
                        for _ in 0..<3 where cc_perform(easy) != 0 { failures.add(1, ordering: .relaxed) }
                    }
                    group.leave()
                }
            }
            for _ in 0..<60 {
                let observer = try start(RecordingSink())
                usleep(3_000)
                observer.stop()
            }
            isOver.store(true, ordering: .relaxed)
            group.wait()
            #expect(failures.load(ordering: .relaxed) == 0)
            #expect(wwt_running() == 0)
            #expect(wwt_hooked_slots() == 0)
        }

        @Test func aChildIsSilentAndItsParentUnharmed() throws {
            defer { origin.stop() }
            let observer = try start()
            let program = Program(base: origin.address)
            let multi = cc_multi_init()
            let easy = program.handle("/slow")
            cc_multi_add(multi, easy)
            program.run(multi, until: "hello")
            for _ in 0..<20 { #expect(cc_in_child(easy, origin.address + "/child") == 0) }
            program.run(multi)
            cc_multi_remove(multi, easy)
            cc_multi_cleanup(multi)
            observer.stop()
            #expect(sink.requests.map(\.path) == ["/slow"])
            #expect(sink.ends.map(\.outcome) == [.completed])
            #expect(origin.exchanges.count == 21)
            #expect(wwt_hooked_slots() == 0)
        }

        @Test func aChildMayStartATapOfItsOwn() throws {
            defer { origin.stop() }
            let observer = try start()
            let status = cc_fork(
                { base in
                    guard let ring = wwt_ring_create(1 << 20) else { return 1 }
                    var settings = wwt_settings(
                        emit: wwt_ring_emit, context: .init(ring), keep_body: 0, in_children: false,
                        skips_digests: false)
                    guard wwt_start(&settings) == WWT_OK else { return 2 }
                    let easy = cc_init()
                    cc_set_text(easy, 10_002, base?.assumingMemoryBound(to: CChar.self))
                    cc_set_long(easy, 44, 1)
                    guard cc_perform(easy) == 0 else { return 3 }
                    wwt_stop()
                    var bytes = [UInt8](repeating: 0, count: 1 << 16)
                    return wwt_ring_read(ring, &bytes, bytes.count, 0, 0) > 200 ? 0 : 4
                }, strdup(origin.address + "/none"))
            #expect(status == 0)
            observer.stop()
            #expect(sink.requests == [])
        }

        static let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/usr/bin/gcc"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        @Test(.enabled(if: compiler != nil, "needs a C compiler"))
        func anObjectThatIsLoadedLateIsHookedToo() throws {
            defer { origin.stop() }
            let folder = FileManager.default.temporaryDirectory.path + "/late-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try """
            extern void *curl_easy_init(void); extern int curl_easy_setopt(void *, int, ...);
            extern int curl_easy_perform(void *); extern void curl_easy_cleanup(void *);
            int late(const char *url) {
                void *easy = curl_easy_init();
                curl_easy_setopt(easy, 10002, url);
                curl_easy_setopt(easy, 44, 1L);
                int code = curl_easy_perform(easy);
                curl_easy_cleanup(easy);
                return code;
            }
            """.write(toFile: folder + "/late.c", atomically: true, encoding: .utf8)
            let compiling = Process()
            compiling.executableURL = URL(fileURLWithPath: Self.compiler ?? "")
            compiling.arguments = ["-shared", "-fPIC", folder + "/late.c", "-o", folder + "/late.so", "-lcurl"]
            try compiling.run()
            compiling.waitUntilExit()
            let observer = try start()
            let before = wwt_hooked_slots()
            let library = try #require(dlopen(folder + "/late.so", RTLD_NOW))
            wwt_refresh()
            #expect(wwt_hooked_slots() == before + 4)
            typealias Late = @convention(c) (UnsafePointer<CChar>) -> Int32
            let late = unsafeBitCast(try #require(dlsym(library, "late")), to: Late.self)
            #expect(late(origin.address + "/none") == 0)
            dlclose(library)
            wwt_refresh()
            #expect(wwt_hooked_slots() == before)
            observer.stop()
            #expect(sink.requests.map(\.path) == ["/none"])
        }

        @Test func flushCallsBackBehindWhatWasTold() async throws {
            defer { origin.stop() }
            let observer = try start()
            let program = Program(base: origin.address)
            for round in 1...20 {
                program.perform(program.handle("/none"))
                await withCheckedContinuation { done in observer.flush { done.resume() } }
                #expect(sink.ends.count == round)
            }
            observer.stop()
            // And at once when there is nothing to wait for.
            await withCheckedContinuation { done in observer.flush { done.resume() } }
        }
    }
}
