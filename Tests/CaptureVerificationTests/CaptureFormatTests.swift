import Testing
import TextFormats
import TrafficModel

@testable import CaptureVerification

@Suite("A comparison with a capture, printed") struct CaptureFormatTests {
    private let verification: CaptureVerification = {
        var packets = Packets()
        packets.exchange(up: 1_234, down: 5_678_901)
        packets.clientPort = 40_001
        packets.exchange(up: 7, down: 8)
        packets.clientPort = 40_002
        packets.exchange(up: 1, down: 2)
        return CaptureVerification(
            [
                Packets.record(1, sent: 1_234, received: 5_678_901),
                Packets.record(2, port: 40_001, sent: 9, received: nil, opened: 12),
            ], against: packets.tally, facts: .init(interfaces: ["lo"], dropped: 3))
    }()

    @Test("as a table: what does not agree first, notes, what was not metered, losses, the conclusion")
    func table() {
        #expect(
            verification.table(TextStyle(width: 140)) == """
                Verdict    Local           Remote       Captured up  Metered up  Diff  Captured down  Metered down  Diff
                uncounted  10.0.0.1:40001  10.0.0.2:80            7           –     –              8             –     –
                agrees     10.0.0.1:40000  10.0.0.2:80        1,234       1,234     0      5,678,901     5,678,901     0
                ────────────────────────────────────────────────────────────────────────────────────────────────────────
                Total                                         1,234       1,234     0      5,678,901     5,678,901     0

                10.0.0.1:40001: the kernel's count is not known: the program ended before it was read

                In the capture, to the same servers, and not metered:

                Verdict    Local           Remote       Captured up  Metered up  Diff  Captured down  Metered down  Diff
                unmetered  10.0.0.1:40002  10.0.0.2:80            1           –     –              2             –     –

                the capture says that it lost 3 packets: record again with a larger buffer (dumpcap -B 256)
                1 of 2 metered connections agrees to the byte

                """)
    }

    @Test("fits a narrow terminal")
    func narrow() {
        for line in verification.table(TextStyle(width: 60)).split(separator: "\n") {
            #expect(TerminalText.width(String(line)) <= 60, "\(line)")
        }
    }

    @Test("as lines of JSON")
    func ndjson() {
        let lines = verification.ndjson.split(separator: "\n")
        #expect(lines.count == 3)
        let expected = #"""
            {"verdict":"agrees","connection":1,"pid":7,"process":"app","localAddress":"10.0.0.1","localPort":40000,\#
            "remoteAddress":"10.0.0.2","remotePort":80,"openedAt":"2027-01-15T08:00:00.004000Z",\#
            "closedAt":"2027-01-15T08:00:00.900000Z","captured":{"up":1234,"down":5678901},\#
            "metered":{"up":1234,"down":5678901},"difference":{"up":0,"down":0},"refused":0,\#
            "missing":{"up":0,"down":0},"note":null}
            """#
        #expect(String(lines[1]) == expected)
    }

    @Test("as one object of JSON")
    func json() {
        let text = verification.json
        #expect(text.hasPrefix("{\n  \"agrees\": false,\n"))
        #expect(text.contains("\"interfaces\": [\n      \"lo\"\n    ],\n    \"dropped\": 3"))
        #expect(text.contains("\"mismatch\": null"))
    }
}
