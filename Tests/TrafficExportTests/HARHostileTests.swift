import Foundation
import Testing
import TextFormats
import TrafficModel

@testable import TrafficExport

@Suite("HARs that are cut, huge or hostile")
struct HARHostileTests {
    private func refusal(
        _ text: String, limits: JSONReader.Limits = .init(), sourceLocation: SourceLocation = #_sourceLocation
    ) -> HARFault? {
        do {
            _ = try imported(text, limits: limits)
            Issue.record("it was read: \(text.prefix(200))", sourceLocation: sourceLocation)
            return nil
        } catch {
            #expect(error is HARFault, sourceLocation: sourceLocation)
            return error as? HARFault
        }
    }

    @Test("wherever an archive is cut, the error says that it ends too early, and where")
    func cut() throws {
        let text = archive(entry(), entry())
        for count in 0..<(text.utf8.count - 2) {
            let cut = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            let fault = try #require(refusal(cut))
            #expect(
                fault.reason.contains("ends") || fault.reason.contains("empty") || fault.reason.contains("no number"),
                "\(count): \(fault)")
            #expect(fault.offset <= count)
        }
    }

    @Test("line, byte and entry of a fault are those of the place")
    func place() throws {
        let text = archive(entry(), entry(), entry(response: "\"bodySize\": 1.5,"))
        let fault = try #require(refusal(text))
        #expect(fault.entry == 3)
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[..<fault.offset], as: UTF8.self).hasSuffix("\"bodySize\": 1.5"))
        #expect(fault.line == bytes[..<fault.offset].filter { $0 == 0x0A }.count + 1)
        #expect(fault.description.hasPrefix("line \(fault.line), byte \(fault.offset), entry 3: 'bodySize' is 1.5"))
    }

    @Test(
        "sizes that are none",
        arguments: [
            ("headersSize", "-2.5"), ("headersSize", "-1e300"), ("bodySize", "1e300"), ("bodySize", "1.5"),
            ("bodySize", "9007199254740994"), ("bodySize", "\"12\""), ("bodySize", "[]"), ("status", "-1"),
            ("status", "1000"), ("status", "200.5"), ("_transferSize", "-0.5"),
        ])
    func sizes(_ name: String, _ value: String) throws {
        let fault = try #require(refusal(archive(entry(response: "\"\(name)\": \(value),"))))
        #expect(fault.entry == 1)
    }

    @Test("-1, null and the negative sizes of Playwright stand for unknown")
    func unknown() throws {
        for value in ["-1", "-1.0", "null", "-130", "-9007199254740992"] {
            let text = archive(entry()).replacing("\"bodySize\": 10", with: "\"bodySize\": \(value)")
                .replacing("\"headersSize\": 60", with: "\"headersSize\": \(value)")
            guard case .request(let request) = try imported(text).events[0],
                case .response(let response) = try imported(text).events[1]
            else { return }
            #expect(response.size.body.evidence == .unknown)
            #expect(request.size.fields.evidence == .unknown && request.size.startLine.evidence == .unknown)
        }
    }

    @Test("values nested beyond the limit, in what is read and in what is passed over")
    func depth() throws {
        for count in [100, 1_000_000] {
            let open = String(repeating: "[", count: count)
            #expect(try #require(refusal("{\"log\": {\"comment\": \(open)")).reason.contains("nested deeper"))
            #expect(try #require(refusal(open)).reason.contains("an array where an object belongs"))
            let objects = String(repeating: "{\"a\":", count: count)
            #expect(try #require(refusal(archive("{\"_x\": \(objects)"))).reason.contains("nested deeper"))
        }
        let fine = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
        #expect(try imported(archive(entry(more: "\"_deep\": \(fine),"))).outcome.exchanges == 1)
    }

    @Test("strings, and entries of many strings, beyond their limits")
    func lengths() throws {
        var limits = JSONReader.Limits()
        limits.string = 1_000
        limits.passedString = 3_000
        limits.entry = 5_000
        func long(_ count: Int) -> String { "\"" + String(repeating: "x", count: count) + "\"" }
        func reason(_ text: String) throws -> String { try #require(refusal(text, limits: limits)).reason }
        let method = archive(entry(request: "\"method\": \(long(1_001)),"))
        #expect(try reason(method) == "a string of more than 1000 bytes")
        #expect(try reason(archive(entry(more: "\"_x\": \(long(3_001)),"))) == "a string of more than 3000 bytes")
        #expect(try reason("{\(long(1_001)): 1}") == "a string of more than 1000 bytes")
        let content = archive(entry(response: "\"content\": {\"text\": \(long(3_001))},"))
        #expect(try reason(content) == "a string of more than 3000 bytes")
        let header = "{\"name\": \"a\", \"value\": \(long(900))}"
        let headers = [String](repeating: header, count: 6).joined(separator: ",")
        let many = archive(entry(request: "\"headers\": [\(headers)],"))
        #expect(try reason(many).contains("one entry has more than 5000 bytes"))
        let elements = "[" + [String](repeating: "{}", count: 400).joined(separator: ",") + "]"
        #expect(try reason(archive(entry(request: "\"headers\": \(elements),"))).contains("one entry has more than"))
        // A body longer than what is kept of strings is passed over, and the entry stays.
        let passed = archive(entry(response: "\"content\": {\"size\": 2500, \"text\": \(long(2_500))},"))
        #expect(try imported(passed, limits: limits).outcome.exchanges == 1)
        // The limit is one of an entry, not of the archive.
        #expect(try imported(archive(entry(), entry(), entry(), entry()), limits: limits).outcome.exchanges == 4)
    }

    @Test("a string of a gigabyte is refused before it is in memory")
    func gigabyte() throws {
        var pieces = 0
        let head = Array("{\"log\": {\"comment\": \"".utf8)
        let piece = [UInt8](repeating: 0x78, count: 1 << 20)
        var limits = JSONReader.Limits()
        limits.passedString = 8 << 20
        let reader = HARReader(limits: limits) {
            pieces += 1
            return pieces == 1 ? head : pieces <= 1_024 ? piece : []
        }
        #expect(throws: HARFault.self) { try reader.check() }
        #expect(pieces == 10)
    }

    @Test(
        "what is no archive",
        arguments: [
            "", " \n", "[]", "null", "12", "\"log\"", "{}", "{\"log\": []}", "{\"log\": {}}",
            "{\"log\": {\"entries\": {}}}", "{\"log\": {\"entries\": [1]}}", "{\"log\": {\"entries\": [{}]}}",
            "{\"log\": {\"entries\": []}} x",
            "{\"log\": {\"entries\": [],}}", "{\"log\" {}}", "{log: 1}",
            "{\"log\": {\"version\": \"2.0\", \"entries\": []}}",
            "{\"log\": nul}", "{\"log\": 01}", "{\"log\": -}", "{\"log\": .5}", "{\"log\": 1e}", "{\"log\": \"\\x\"}",
            "{\"log\": \"\\u12g4\"}", "{\"log\": \"a\nb\"}", "<html></html>", "\u{0}", "SQLite format 3\u{0}",
        ])
    func nonsense(_ text: String) throws { #expect(refusal(text)?.reason.isEmpty == false) }

    @Test("an entry without what it needs")
    func lacking() throws {
        for (gone, reason) in [
            ("\"url\": \"https://api.test/users/1\",", "no 'url'"),
            ("\"startedDateTime\": \"2026-01-01T00:00:00.000Z\",", "no 'startedDateTime'"),
        ] {
            let text = archive(entry().replacing(gone, with: ""))
            #expect(try #require(refusal(text)).reason.contains(reason))
        }
        let bad = archive(entry().replacing("2026-01-01T", with: "yesterday"))
        #expect(try #require(refusal(bad)).reason.contains("not a time of ISO 8601"))
    }

    @Test("escapes, surrogates, a byte order mark and bytes that are no UTF-8")
    func texts() throws {
        func name(_ escaped: String) throws -> String {
            let text = archive(entry(request: "\"_x\": 0,").replacing("\"Host\"", with: "\"\(escaped)\""))
            guard case .request(let request) = try imported(text, pieces: 5).events[0] else { return "" }
            return String(decoding: request.fields.bytes.dropLast(12), as: UTF8.self)
        }
        #expect(try name(#"\u0041\/\\\"\t\u00e9\uD83D\uDE00"#) == "A/\\\"\té😀")
        #expect(try name(#"a\uD83Db"#) == "a\u{FFFD}b")
        #expect(try name(#"a\uD83D\n"#).hasPrefix("a\u{FFFD}"))
        #expect(try name(#"\uDE00"#) == "\u{FFFD}")
        #expect(try imported("\u{FEFF}" + archive(entry())).outcome.exchanges == 1)
        let reader = HARReader { [] }
        #expect(throws: HARFault.self) { try reader.check() }
    }

    @Test("archives with bytes changed at random are read or refused, and nothing crashes")
    func random() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("BrowserHARs/chromium.har")
        let whole = try Array(Data(contentsOf: url))
        var generator = SystemRandomNumberGenerator()
        var refused = 0
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
                default: bytes.replaceSubrange(place..<min(place + 3, bytes.count), with: Array("-9e9".utf8))
                }
            }
            do {
                var rest: [UInt8]? = bytes
                let source: () -> [UInt8] = {
                    defer { rest = nil }
                    return rest ?? []
                }
                var work = HARImport(.init())
                _ = try work.run(HARReader(source: source)) { _ in }
            } catch {
                #expect(error is HARFault)
                refused += 1
            }
        }
        #expect(refused > 100)
    }
}
