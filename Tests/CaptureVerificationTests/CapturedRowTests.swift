import Testing
import TrafficModel

@testable import CaptureVerification

@Suite("Rows of tshark") struct CapturedRowTests {
    @Test("a segment with its time, ends, numbers and flags")
    func segment() {
        let row = CapturedRow(
            "1795245220.843999714\teth:ethertype:ip:tcp:tls\t127.0.0.1\t127.0.0.2\t\t\t8443\t38894\t4294967295\t7\t24\t0x0018"
        )
        #expect(
            row
                == .segment(
                    CapturedSegment(
                        time: Timestamp(nanoseconds: 1_795_245_220_843_999_714),
                        source: Endpoint(address: "127.0.0.1", port: 8443),
                        destination: Endpoint(address: "127.0.0.2", port: 38_894), sequence: 4_294_967_295,
                        acknowledgment: 7, payload: 24, flags: [.ack, .init(rawValue: 8)])))
    }

    @Test("of a tunnel, the ends of the innermost packet")
    func tunnels() {
        let inner = "10.0.0.1\t10.0.0.2\tfd00::1\tfd00::2\t1\t2\t3\t4\t5\t0x0010"
        func source(_ protocols: String) -> String? {
            guard case .segment(let segment) = CapturedRow("1.5\t\(protocols)\t\(inner)") else { return nil }
            return segment.source.text
        }
        #expect(source("eth:ethertype:ip:ipv6:tcp") == "[fd00::1]:1")
        #expect(source("eth:ethertype:vlan:ethertype:ipv6:ip:tcp:http") == "10.0.0.1:1")
    }

    @Test("an acknowledgment without its flag says nothing")
    func noAcknowledgment() {
        guard case .segment(let segment) = CapturedRow("1\tip:tcp\ta\tb\t\t\t1\t2\t3\t99\t0\t0x0004") else {
            Issue.record("no segment")
            return
        }
        #expect(segment.acknowledgment == nil)
        #expect(segment.flags == .rst)
        #expect(segment.time == Timestamp(nanoseconds: 1_000_000_000))
    }

    @Test("headers of TCP that were cut after their ports, or before")
    func cut() {
        let ends = (Endpoint(address: "10.0.0.1", port: 1), Endpoint(address: "10.0.0.2", port: 2))
        #expect(
            CapturedRow("1.0\tip:tcp\t10.0.0.1\t10.0.0.2\t\t\t1\t2\t\t\t\t")
                == .cut(time: Timestamp(nanoseconds: 1_000_000_000), source: ends.0, destination: ends.1))
        for text in [
            "1.0\tip:tcp\t10.0.0.1\t10.0.0.2\t\t\t\t\t\t\t\t", "", "1.0", "x\tip:tcp\ta\tb\t\t\t1\t2\t3\t4\t5\t0x10",
            "1.0\ttcp\t\t\t\t\t1\t2\t3\t4\t5\t0x10", "1.0\tip:tcp\ta\tb\t\t\t1\t70000\t3\t4\t5\t0x10",
            "99999999999999999999.0\tip:tcp\ta\tb\t\t\t1\t2\t3\t4\t5\t0x10",
        ] { #expect(CapturedRow(text) == .unreadable, "\(text)") }
    }

    @Test(
        "ends in one spelling",
        arguments: [
            ("10.0.0.1:80", "10.0.0.1:80"), ("[::1]:80", "[::1]:80"), ("[FE80::1%eth0]:80", "[fe80::1]:80"),
            ("[::ffff:10.0.0.1]:80", "10.0.0.1:80"), (":80", ":80"), ("0.0.0.0:80", ":80"), ("[::]:80", ":80"),
        ])
    func ends(text: String, expected: String) { #expect(Endpoint(text)?.text == expected) }

    @Test(
        "what has no port is no end", arguments: ["", "10.0.0.1", "10.0.0.1:", "10.0.0.1:x", "10.0.0.1:0", "a:99999"])
    func noEnds(text: String) { #expect(Endpoint(text) == nil) }
}
