import Foundation
import Testing
import TextFormats

@Suite struct JSONValueTests {
    @Test("Strings of any characters come back from JSON as they were")
    func strings() throws {
        let text = "a\"\\/\u{0}\u{1F}\u{7F}\u{9B}\u{202E}é日🎉\r\n\t"
        let json = JSONValue.object([.init(text, .string(text)), .init("n", .number("0.5"))])
        for form in [json.compact, json.pretty] {
            let object = try JSONSerialization.jsonObject(with: Data(form.utf8)) as? [String: Any]
            #expect(object?[text] as? String == text)
            #expect(form.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
        #expect(JSONValue.array([]).pretty == "[]")
    }

    @Test("Milliseconds have the precision of microseconds and no more")
    func milliseconds() {
        let values: [Int64?] = [nil, 0, 1, 499, 500, 1_000, 12_345_678, 60_000_000, -1_500_000, Int64.max]
        let expected = ["null", "0", "0", "0", "0.001", "0.001", "12.346", "60", "-1.5", "9223372036854.776"]
        #expect(values.map { JSONValue.milliseconds($0).compact } == expected)
    }
}
