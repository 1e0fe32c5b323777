import ProxyWire
import Testing

@Suite("Conditions of a network")
struct ConditionsTests {
    private let millisecond: Int64 = 1_000_000

    @Test("a profile, its changes, and settings alone")
    func texts() throws {
        #expect(try LinkConditions("3g") == LinkConditions(down: 1_600_000, up: 768_000, roundTrip: 300))
        #expect(
            try LinkConditions("3g,loss=1.5,up=2M")
                == LinkConditions(down: 1_600_000, up: 2_000_000, roundTrip: 300, loss: 1.5))
        #expect(try LinkConditions("down=64k,rtt=20") == LinkConditions(down: 64_000, roundTrip: 20))
        #expect(
            try LinkConditions("3g,loss=2").description
                == "1.6 Mbit/s down, 768 kbit/s up, round trip 300 ms, 2 % of packets lost")
        #expect(try LinkConditions("rtt=0").description == "as the network is")
    }

    @Test(
        "what is no profile and no setting is refused by its word",
        arguments: ["", "5g", "3g,", "rtt", "3g,speed=1"])
    func unknown(text: String) {
        let word = ["": "", "5g": "5g", "3g,": "", "rtt": "rtt", "3g,speed=1": "speed"][text]!
        #expect(throws: LinkConditions.Mistake.unknown(word)) { try LinkConditions(text) }
    }

    @Test(
        "values out of bounds are refused",
        arguments: ["down=0", "down=1G", "up=-5k", "rtt=1.5", "rtt=60001", "loss=51", "loss=nan", "down=inf", "up="])
    func values(text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        #expect(throws: LinkConditions.Mistake.value(setting: parts[0], value: parts[1])) { try LinkConditions(text) }
    }

    @Test("bytes leave one after the other and arrive half a round trip later")
    func rate() {
        // 8 bits a byte: a byte takes a microsecond.
        var link = ConditionedLink(LinkConditions(down: 8_000_000, roundTrip: 100), isDown: true)
        #expect(link.arrival(of: 1_000, at: 0, chance: 0) == 51 * millisecond)
        #expect(link.arrival(of: 2_000, at: 0, chance: 0) == 53 * millisecond)
        // The end of the direction is not before its bytes.
        #expect(link.arrival(of: 0, at: 0, chance: 0) == 53 * millisecond)
        // The link was free in between.
        #expect(link.arrival(of: 1_000, at: 10 * millisecond, chance: 0) == 61 * millisecond)
        #expect(link.piece == 20_000)
        var free = ConditionedLink(LinkConditions(down: 8_000_000, roundTrip: 100), isDown: false)
        #expect(free.arrival(of: 1 << 20, at: 0, chance: 0) == 50 * millisecond)
    }

    @Test("a lost packet comes a round trip later, and what follows waits for it")
    func loss() {
        var link = ConditionedLink(LinkConditions(roundTrip: 300, loss: 10), isDown: true)
        #expect(link.arrival(of: 1_460, at: 0, chance: 0.9) == 450 * millisecond)
        #expect(link.arrival(of: 1_460, at: 0, chance: 0.5) == 450 * millisecond)
        // Two packets: one of them is lost more often.
        var other = ConditionedLink(LinkConditions(roundTrip: 20, loss: 10), isDown: true)
        #expect(other.arrival(of: 1_461, at: 0, chance: 0.80) == 10 * millisecond)
        #expect(other.arrival(of: 1_461, at: 0, chance: 0.82) == 210 * millisecond)
    }

    @Test("nothing leaves before the connection is there")
    func handshake() {
        var link = ConditionedLink(LinkConditions(roundTrip: 100), isDown: false)
        link.wait(until: 100 * millisecond)
        #expect(link.arrival(of: 10, at: 0, chance: 0) == 150 * millisecond)
        #expect(link.arrival(of: 10, at: 110 * millisecond, chance: 0) == 160 * millisecond)
    }
}
