import Foundation
import Testing
import TextFormats
import TrafficModel

@testable import TrafficExport

@Suite("When an exchange began, and how long it took, in every format")
struct TimesTests {
    private static let names = ["queue", "dns", "connect", "tls", "send", "wait", "receive", "unattributed"]

    /// 12 ms in the queue and 3.3 ms unattributed; the nanoseconds are finer than the store and the output.
    private func store() throws -> Store {
        var request = Sample.request()
        request.startedAt = Timestamp(nanoseconds: Sample.epoch + 123_456_700)
        request.sentAt = Timestamp(nanoseconds: Sample.epoch + 142_457_377)
        let timings = ExchangeTimings(
            queue: 12_000_333, dns: 1_000_111, connect: 2_000_111, tls: 4_000_122, send: 444, wait: 20_000_444,
            receive: 5_555, total: 42_307_777)
        var end = Sample.end(1, timings: timings)
        end.endedAt = Timestamp(nanoseconds: request.startedAt.nanoseconds + 42_307_777)
        return try Store([.request(request), .response(Sample.response()), .end(end)])
    }

    @Test("NDJSON, CSV, HAR and OTLP name the same moments")
    func moments() throws {
        let store = try store()
        let line = try JSON(String(try store.export(.ndjson).dropLast()))
        let csv = try cells(store)
        let entry = try #require(try store.entries().first)
        let span = try self.span(store)
        let (started, sent) = ("2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.142457Z")
        #expect(line["startedAt"].string == started && line["sentAt"].string == sent)
        #expect(csv["startedAt"] == started && csv["sentAt"] == sent)
        #expect(entry["startedDateTime"].string == started)
        #expect(entry["_wireweight"]["startedAt"].string == started && entry["_wireweight"]["sentAt"].string == sent)
        #expect(span["startTimeUnixNano"].string == String(Sample.epoch + 123_456_000))
        #expect(span["endTimeUnixNano"].string == String(Sample.epoch + 165_764_000))
        #expect(span["events"][0]["name"].string == "wireweight.sent")
        #expect(span["events"][0]["timeUnixNano"].string == String(Sample.epoch + 142_457_000))
    }

    @Test("What is written of the phases adds up to what is written of the total")
    func sums() throws {
        let store = try store()
        func microseconds(_ milliseconds: Double?) -> Int { Int(((milliseconds ?? -1) * 1_000).rounded()) }
        let timings = try JSON(String(try store.export(.ndjson).dropLast()))["timings"]
        #expect(Self.names.map { microseconds(timings[$0].double) }.reduce(0, +) == 42_308)
        #expect(microseconds(timings["total"].double) == 42_308)
        // From one whole microsecond to another: the queue lasts from 456.7 to 457.033 µs.
        #expect(microseconds(timings["queue"].double) == 12_001)
        #expect(microseconds(timings["unattributed"].double) == 3_301)
        let csv = try cells(store)
        #expect(Self.names.map { microseconds(csv["\($0)Ms"].flatMap { Double($0) }) }.reduce(0, +) == 42_308)
        #expect(csv["totalMs"] == "42.308")
        let entry = try #require(try store.entries().first)
        #expect(microseconds(entry["time"].double) == 42_308)
        // The format has no place for it: it is in `blocked`, and named.
        #expect(microseconds(entry["timings"]["blocked"].double) == 12_001 + 3_301)
        #expect(microseconds(entry["timings"]["_unattributed"].double) == 3_301)
        let seconds = Self.names.map { name in
            try? attributes(store).first { $0["key"].string == "wireweight.phase.\(name)" }?["value"]["doubleValue"]
                .double
        }
        #expect(seconds.allSatisfy { $0 != nil })
        #expect(abs(seconds.reduce(0) { $0 + (($1 ?? nil) ?? 0) } - 0.042_308) < 1e-12)
    }

    @Test("An archive of our own comes back with the same phases")
    func roundTrip() throws {
        let store = try store()
        let text = try store.export(.har)
        func reader() -> HARReader {
            var source: [UInt8]? = Array(text.utf8)
            return HARReader {
                defer { source = nil }
                return source ?? []
            }
        }
        var events: [TrafficEvent] = []
        var importing = HARImport(try reader().check())
        _ = try importing.run(reader()) { events += $0 }
        let read = try #require(try Store(events).exchanges.first)
        #expect(read.end?.timings == (try store.exchanges.first?.end?.timings.inMicroseconds))
        #expect(read.request.startedAt.iso8601 == "2026-01-01T00:00:00.123456Z")
        #expect(read.request.sentAt?.nanoseconds == read.request.startedAt.nanoseconds + 19_001_000)
        #expect(read.end?.endedAt.nanoseconds == read.request.startedAt.nanoseconds + 42_308_000)
    }

    private func cells(_ store: Store) throws -> [String: String] {
        let lines = try store.export(.csv).components(separatedBy: "\r\n").map { $0.components(separatedBy: ",") }
        return Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
    }

    private func span(_ store: Store) throws -> JSON {
        let lines = try store.export(.otlpJSON).split(separator: "\n").map { try JSON(String($0)) }
        let spans = try #require(lines.first { $0["resourceSpans"].value != nil })
        return spans["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    }

    private func attributes(_ store: Store) throws -> [JSON] { try span(store)["attributes"].array }
}
