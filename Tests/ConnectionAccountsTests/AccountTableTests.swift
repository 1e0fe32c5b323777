import TestSupport
import Testing
import TrafficModel

@testable import ConnectionAccounts

@Suite struct AccountTableTests {
    @Test("It keeps, replaces and removes accounts as a dictionary does", arguments: 0..<10)
    func likeDictionary(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = AccountTable()
        var expected: [ConnectionEnds: Int64] = [:]
        for number in Int64(0)..<500 {
            let ends = ConnectionEnds(
                localPort: UInt32.random(in: 1...8, using: &random),
                remotePort: UInt32.random(in: 1...3, using: &random),
                remoteAddress: "10.0.0.1")
            if Int.random(in: 0..<3, using: &random) == 0 {
                table[ends] = nil
                expected[ends] = nil
            } else {
                table[ends] = ConnectionAccount(
                    record: ConnectionRecord(
                        connection: ConnectionID(number), process: ProcessIdentity(pid: 1, name: "p"), localAddress: "",
                        remoteAddress: "", openedAt: Timestamp(nanoseconds: 0)))
                expected[ends] = number
            }
            #expect(table[ends]?.record.connection.rawValue == expected[ends])
            #expect(table.count == expected.count)
            #expect(Set(table.keys) == Set(expected.keys))
            for (place, ends) in table.keys.enumerated() {
                #expect(table.index(forKey: ends) == place)
                #expect(table.values[place].record.connection.rawValue == expected[ends])
            }
        }
    }
}
