import ProxyWire
import Testing

@Suite("The connections of clients")
struct ConnectionSharesTests {
    private let device = IPAddress("192.168.1.23")!
    private let other = IPAddress("fd00::23")!
    private let own = IPAddress("127.0.0.1")!

    @Test("a client takes its share and no more, others the rest, and what ends can be taken again")
    func share() {
        var shares = ConnectionShares(most: 5, share: 2)
        #expect((0..<3).map { _ in shares.add(device) } == [.taken, .taken, .shareIsTaken])
        #expect((0..<3).map { _ in shares.add(other) } == [.taken, .taken, .shareIsTaken])
        #expect((0..<2).map { _ in shares.add(own) } == [.taken, .full])
        shares.remove(device)
        #expect([shares.add(other), shares.add(device), shares.add(own)] == [.shareIsTaken, .taken, .full])
        for client in [own, other, other, device, device] { shares.remove(client) }
        // What was not taken ends nothing.
        shares.remove(own)
        #expect((0..<3).map { _ in shares.add(device) } == [.taken, .taken, .shareIsTaken])
        #expect((0..<3).map { _ in shares.add(other) } == [.taken, .taken, .shareIsTaken])
        #expect((0..<2).map { _ in shares.add(own) } == [.taken, .full])
    }

    @Test("a client that may have all takes what others leave")
    func all() {
        var shares = ConnectionShares(most: 5, share: 2)
        #expect(shares.add(device) == .taken)
        #expect((0..<5).map { _ in shares.add(own, mayHaveAll: true) } == [.taken, .taken, .taken, .taken, .full])
    }
}
