import Testing

import ProxyWire

struct CertificateRefusalsTests {
    private var refusals = CertificateRefusals()

    @Test("an alert that names the certificate is a refusal, for that device and host alone, and is said once")
    mutating func alert() {
        #expect(refusals.note(.refusal, of: "a.test", by: "phone") == .refused)
        #expect(refusals.note(.refusal, of: "a.test", by: "phone") == nil)
        #expect(refusals.contains("a.test", by: "phone"))
        #expect(!refusals.contains("b.test", by: "phone"))
        #expect(!refusals.contains("a.test", by: "tablet"))
    }

    @Test("connections that a browser opens ahead and never uses are no refusal, however many")
    mutating func connectedAhead() {
        let findings = (0..<100).map { _ in refusals.note(.silence, of: "a.test", by: "phone") }
        #expect(!refusals.contains("a.test", by: "phone"))
        #expect(findings == [nil, nil, .silent(3)] + Array(repeating: nil, count: 97))
    }

    @Test("once a host was used, its silent ends are not said")
    mutating func used() {
        #expect(refusals.note(.use, of: "a.test", by: "phone") == nil)
        for _ in 0..<10 { #expect(refusals.note(.silence, of: "a.test", by: "phone") == nil) }
        #expect(refusals.note(.refusal, of: "a.test", by: "phone") == .refused)
    }

    @Test("a server that wants a certificate is left to all devices, and is said once")
    mutating func wanting() {
        let isNew = (0..<2).map { _ in refusals.noteWanting("a.test") }
        #expect(isNew == [true, false])
        #expect(refusals.contains("a.test", by: "phone") && refusals.contains("a.test", by: "tablet"))
        #expect(!refusals.contains("b.test", by: "phone"))
    }

    @Test("memory is bounded")
    mutating func crowd() {
        for number in 0..<25_000 {
            _ = refusals.note(.refusal, of: "\(number).test", by: "phone")
            _ = refusals.note(.silence, of: "\(number).test", by: "phone")
            _ = refusals.noteWanting("\(number).example")
        }
        #expect(!refusals.contains("0.test", by: "phone"))
        #expect(refusals.contains("24999.test", by: "phone"))
        #expect(!refusals.contains("0.example", by: "phone") && refusals.contains("24999.example", by: "phone"))
        // Its silent end is forgotten, too.
        let findings = (0..<3).map { _ in refusals.note(.silence, of: "0.test", by: "phone") }
        #expect(findings == [nil, nil, .silent(3)])
    }
}
