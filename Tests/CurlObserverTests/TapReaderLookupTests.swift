import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Frames of lookups become records.
@Suite struct TapReaderLookupTests {
    private func lookups(_ write: (inout FrameBuilder) -> Void) throws -> [LookupRecord] {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.hello()
        write(&frames)
        try hearing.take(frames.bytes)
        hearing.reader.finish(at: 9_000)
        return hearing.sink.events.compactMap { if case .lookup(let lookup) = $0 { lookup } else { nil } }
    }

    private static let mapped: [UInt8] = .init(repeating: 0, count: 10) + [0xFF, 0xFF]

    @Test func whatTheCLibraryFound() throws {
        let found = [Self.mapped + [192, 0, 2, 1], [0x20, 1, 0xD, 0xB8] + .init(repeating: 0, count: 11) + [1]]
        let lookup = try #require(try lookups { $0.lookup("h.test.", found: found) }.first)
        #expect(lookup.name == "h.test" && lookup.source == .libc && lookup.process.name == "tool")
        #expect(lookup.duration == 4_000 && !lookup.hasFailed)
        #expect(lookup.addresses == ["192.0.2.1", "2001:db8::1"] && lookup.answers == 2)
        // Its own datagrams are not seen.
        #expect(lookup.bytesUp == nil && lookup.bytesDown == nil && lookup.queries == nil)
        #expect(lookup.resolver == nil && lookup.recordType == nil)
    }

    @Test func moreAddressesThanAreListed() throws {
        let found = (1...8 as ClosedRange<UInt8>).map { Self.mapped + [192, 0, 2, $0] }
        let lookup = try #require(try lookups { $0.lookup("h", found: found, more: 3) }.first)
        #expect(lookup.answers == 11 && lookup.addresses == (1...8).map { "192.0.2.\($0)" })
    }

    @Test func whatItDidNotFind() throws {
        let failed = try lookups { frames in
            frames.lookup("a", code: -2)
            frames.lookup("b", source: WWT_LOOKUP_HOST, code: 1)
            frames.lookup("c", code: -3)
            frames.lookup("d", code: -99)
        }
        #expect(failed.map(\.error) == ["EAI_NONAME", "HOST_NOT_FOUND", "EAI_AGAIN", "EAI -99"])
        #expect(failed.allSatisfy { $0.addresses.isEmpty && $0.answers == 0 })
    }

    @Test func datagramsOfAResolverOfTheProgramsOwn() throws {
        func message(_ flags: UInt8, _ code: UInt8) -> [UInt8] {
            [0, 7, flags, code, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x68, 0, 0, 28, 0, 1]
        }
        let all = try lookups { frames in
            for socket in 1...4 as ClosedRange<UInt64> {
                frames.datagram(WWT_DNS_SENT, message(1, 0), socket: socket, at: 1_000)
            }
            frames.datagram(WWT_DNS_RECEIVED, message(0x81, 3), socket: 2, size: 600, at: 3_000)
            frames.datagram(WWT_DNS_FAILED, socket: 3, size: 111, at: 4_000)
            frames.datagram(WWT_DNS_OVER, socket: 2, at: 5_000)
            frames.datagram(WWT_DNS_OVER, socket: 1, at: 6_000)
        }
        // The fourth one is left when the process ends.
        #expect(all.map(\.error) == ["NXDOMAIN", "ECONNREFUSED", "no answer", "no answer"])
        #expect(all.map(\.duration).prefix(3) == [2_000, 3_000, 5_000])
        #expect(all.map { $0.bytesUp?.bytes } == [19, 19, 19, 19])
        #expect(all.map { $0.bytesDown?.bytes } == [600, 0, 0, 0])
        #expect(all.allSatisfy { $0.name == "h" && $0.recordType == "AAAA" && $0.resolver == "192.0.2.53" })
    }
}
