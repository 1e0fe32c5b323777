import CCurlTap
import CurlObserver
import Foundation
import Locks
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// A talker on a real socket.
final class Talker {
    let descriptor: Int32

    init?(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if connected != 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Sends one message; whether the kernel took it whole.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    @discardableResult
    func send(_ build: (inout FrameBuilder) -> Void) -> Bool {
        var frames = FrameBuilder()
        build(&frames)
        return send(frames.bytes)
    }
}

@Suite struct TapListenerTests {
    private let sink = RecordingSink()
    private let listener: TapListener
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/wt-\(UUID().uuidString.prefix(8))"
        listener = try TapListener(path: path, sink: sink)
    }

    private func wait(until condition: () -> Bool) -> Bool {
        for _ in 0..<6_000 {
            if condition() { return true }
            usleep(5_000)
        }
        return false
    }

    @Test func aProgramsExchangesArriveWithItsName() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello(pid: 77, path: "/opt/prog") }
        talker.send { $0.exchange() }
        listener.stop()
        #expect(sink.requests.map(\.process) == [ProcessIdentity(pid: 77, name: "prog")])
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(listener.processes.map(\.exchanges) == [1])
        #expect(listener.malformedCount == 0)
    }

    @Test func stopTakesWhatWasSentAndLetsNobodyIn() throws {
        let talkers = try (0..<20).map { _ in try #require(Talker(path: path)) }
        for (number, talker) in talkers.enumerated() {
            talker.send { $0.hello(pid: Int32(number + 1)) }
            for transfer in 1...50 { talker.send { $0.exchange(UInt64(transfer)) } }
        }
        listener.stop()
        #expect(sink.ends.count == 1_000)
        #expect(Talker(path: path) == nil)
        #expect(talkers[0].send { $0.exchange() } == false)
    }

    @Test func stopDoesNotWaitForWhoeverGoesOnTalking() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello() }
        let descriptor = talker.descriptor
        let isOver = Atomic(false)
        let thread = Thread {
            var frames = FrameBuilder()
            frames.exchange()
            while Glibc.send(descriptor, frames.bytes, frames.bytes.count, Int32(MSG_NOSIGNAL)) > 0 {}
            isOver.store(true, ordering: .relaxed)
        }
        thread.start()
        #expect(wait { !sink.ends.isEmpty })
        listener.stop()
        #expect(wait { isOver.load(ordering: .relaxed) })
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0], [UInt8](repeating: 0xFF, count: 30_000),
        [UInt8](repeating: 0, count: 24),
    ])
    func garbageInsteadOfAHelloIsCutOffAndOthersGoOn(_ garbage: [UInt8]) throws {
        let good = try #require(Talker(path: path))
        good.send { $0.hello(pid: 5) }
        let bad = try #require(Talker(path: path))
        bad.send(garbage)
        #expect(wait { listener.malformedCount == 1 })
        #expect(wait { !bad.send([1]) })
        #expect(good.send { $0.exchange() })
        listener.stop()
        #expect(sink.ends.count == 1)
        #expect(sink.losses == [TrafficLoss(reason: .malformed, count: 1)])
        #expect(listener.processes.map(\.identity.pid) == [5])
    }

    @Test func whatComesBeforeAHelloIsNotRecorded() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.exchange() }
        #expect(wait { listener.malformedCount == 1 })
        listener.stop()
        #expect(sink.requests == [])
        #expect(listener.processes == [])
    }

    @Test func aForeignProtocolIsRefused() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello(protocol: UInt32(WWT_PROTOCOL) + 1) }
        listener.stop()
        #expect(listener.malformedCount == 1)
        #expect(listener.processes == [])
    }

    @Test func programsThatAreNotMeteredAreCountedWhenTheyHaveStarted() throws {
        for _ in 0..<2 {
            // Its connection is closed by the start.
            let started = try #require(Talker(path: path))
            started.send { $0.unmetered(WWT_UNMETERED_GO) }
        }
        let failed = try #require(Talker(path: path))
        failed.send { $0.unmetered(WWT_UNMETERED_STATIC) }
        failed.send { $0.unmetered(WWT_METERED, path: "") }
        let foreign = try #require(Talker(path: path))
        foreign.send { $0.unmetered(WWT_UNMETERED_GO, protocol: UInt32(WWT_PROTOCOL) + 1) }
        #expect(wait { listener.malformedCount == 1 })
        // Metering may end between the report and the start.
        let starting = try #require(Talker(path: path))
        starting.send { $0.unmetered(WWT_UNMETERED_SETUID, path: "/usr/bin/sudo") }
        listener.stop()
        #expect(
            listener.unmetered.starts == [
                UnmeteredProgram(path: "/usr/bin/other", reason: .isGo): 2,
                UnmeteredProgram(path: "/usr/bin/sudo", reason: .setUserID): 1,
            ])
        #expect(listener.malformedCount == 1)
        #expect(listener.processes == [])
    }

    @Test func theListOfProgramsThatAreNotMeteredIsBounded() {
        var tally = UnmeteredTally()
        for number in 0..<(2 * UnmeteredTally.most) {
            tally.add(UnmeteredProgram(path: "/\(number)", reason: .isStatic))
            tally.add(UnmeteredProgram(path: "/0", reason: .isStatic))
        }
        #expect(tally.starts.count == UnmeteredTally.most)
        #expect(tally.starts[UnmeteredProgram(path: "/0", reason: .isStatic)] == 2 * UnmeteredTally.most + 1)
        #expect(tally.others == UnmeteredTally.most)
    }

    @Test func halfAFrameEndsItsTalkerAndWhatRanIsAbandoned() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello() }
        talker.send { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
        }
        var half = FrameBuilder()
        half.exchange(2)
        talker.send(Array(half.bytes.dropLast(3)))
        #expect(wait { listener.malformedCount == 1 })
        listener.stop()
        #expect(sink.ends.map(\.outcome) == [.abandoned, .abandoned])
    }

    @Test func aMessageOfTheLargestSizeIsTakenWhole() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello() }
        var frames = FrameBuilder()
        var count = 0
        while true {
            var more = frames
            more.exchange(UInt64(count + 1))
            if more.bytes.count > Int(WWT_MESSAGE_MAX) { break }
            frames = more
            count += 1
        }
        #expect(count > 100)
        #expect(talker.send(frames.bytes))
        listener.stop()
        #expect(sink.ends.count == count)
        #expect(listener.malformedCount == 0)
    }

    @Test func aLargerMessageIsRefused() throws {
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello() }
        var frames = FrameBuilder()
        for transfer in 1...500 where frames.bytes.count <= Int(WWT_MESSAGE_MAX) { frames.exchange(UInt64(transfer)) }
        talker.send(frames.bytes)
        #expect(wait { listener.malformedCount == 1 })
        listener.stop()
    }

    /// More than one system call takes, and more than one turn of the reader takes of one program.
    @Test func manySmallMessagesArriveInOrder() throws {
        var talker = Talker(path: path)
        talker?.send { $0.hello() }
        for transfer in 1...400 as ClosedRange<UInt64> {
            talker?.send { frames in
                frames.begin(transfer)
                frames.request(transfer)
                frames.headOut(transfer, "GET /\(transfer) HTTP/1.1\r\n\r\n")
            }
            talker?.send { $0.headIn(transfer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
            talker?.send { $0.end(transfer, headerSize: 38) }
        }
        talker = nil
        #expect(wait { sink.ends.count == 400 })
        listener.stop()
        #expect(sink.ends.allSatisfy { $0.outcome == .completed })
        #expect(sink.requests.map(\.path) == (1...400).map { "/\($0)" })
        #expect(listener.malformedCount == 0)
    }

    @Test func aTalkerThatDiesInMidTransferLeavesItAbandoned() throws {
        var talker = Talker(path: path)
        talker?.send { $0.hello() }
        talker?.send { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            frames.body(bytes: 4)
        }
        talker = nil
        #expect(wait { sink.ends.map(\.outcome) == [.abandoned] })
        #expect(sink.responses.map(\.size.body) == [.captured(4)])
        listener.stop()
    }

    /// As after a time in which the meter took nothing: a program waits for it, and then leaves a count.
    @Test func whatRunsAtTheEndOfATalkerIsIncompleteWhereTalkersLeftSomethingUntold() throws {
        let announcement = Talker(path: path)
        announcement?.send { $0.hello() }
        var talker = Talker(path: path)
        talker?.send { $0.hello() }
        talker?.send { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + ".losses"))
        try file.write(contentsOf: withUnsafeBytes(of: UInt64(380)) { Data($0) })
        try file.close()
        talker = nil
        #expect(wait { sink.ends.map(\.outcome) == [.incomplete] })
        listener.stop()
        #expect(sink.losses == [TrafficLoss(reason: .bufferFull, count: 380)])
    }

    @Test func whoSaysNothingDisturbsNobody() throws {
        let silent = try (0..<50).map { _ in try #require(Talker(path: path)) }
        let talker = try #require(Talker(path: path))
        talker.send { $0.hello() }
        talker.send { $0.exchange() }
        #expect(wait { sink.ends.count == 1 })
        listener.stop()
        #expect(listener.malformedCount == 0)
        #expect(listener.processes.count == 1)
        withExtendedLifetime(silent) {}
    }

    @Test func twoHundredProcessesAreToldApart() throws {
        // Each on a connection of its own for the hello, as programs do that never use libcurl.
        for pid in 1...200 { Talker(path: path)?.send { $0.hello(pid: Int32(pid), hasLibcurl: pid % 2 == 0) } }
        for pid in [3, 4] {
            let talker = try #require(Talker(path: path))
            talker.send { $0.hello(pid: Int32(pid)) }
            talker.send { $0.exchange() }
        }
        listener.stop()
        #expect(listener.processes.map(\.identity.pid) == Array(1...200))
        #expect(listener.processes.filter(\.hasLibcurl).count == 101)
        #expect(listener.processes.map(\.exchanges).reduce(0, +) == 2)
    }

    @Test func aPathThatIsTakenOrTooLongIsAFailureThatSaysSo() {
        #expect(throws: TapListener.Failure.self) { try TapListener(path: path, sink: sink) }
        #expect(throws: TapListener.Failure.self) {
            try TapListener(path: "/tmp/" + String(repeating: "x", count: 200), sink: sink)
        }
        listener.stop()
    }
}
