import Testing
import TextFormats

@Suite("JSON objects as CSV") struct CSVTableTests {
    private static let row = JSONValue.object([
        .init("host", .string("a,\"b\".example")), .init("alarm", .bool(true)), .init("none", .null),
        .init("up", .object([.init("run", .integer(-7)), .init("perCall", .object([.init("p50", .number("1.5"))]))])),
        .init("evidence", .array([.integer(3), .integer(9)])),
    ])

    @Test("a column is a member, and dots lead into objects")
    func cells() {
        let members = ["host", "alarm", "none", "missing", "up.run", "up.perCall.p50", "up.run.deeper", "evidence"]
        #expect(
            CSVTable.text(members, of: [Self.row, .object([])])
                == "host,alarm,none,missing,upRun,upPerCallP50,upRunDeeper,evidence\r\n"
                + "\"a,\"\"b\"\".example\",true,,,-7,1.5,,3 9\r\n" + ",,,,,,,\r\n")
    }

    @Test("without rows there are the titles")
    func empty() { #expect(CSVTable.text(["a.b", "c"], of: []) == "aB,c\r\n") }
}
