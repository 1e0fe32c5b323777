import Foundation
import Testing
import TrafficModel

@testable import TrafficStore

/// What a file keeps of failures.
@Suite struct FailureTests {
    private static let outcomes: [ExchangeEnd.Outcome] = [
        .completed, .cancelled, .timedOut, .abandoned, .incomplete, .failed(ExchangeFailure(.libcurl, code: 7)),
    ]

    @Test("the filter, the sums, and the code have one definition of what has failed")
    func definition() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var number: Int64 = 0
        for outcome in Self.outcomes {
            for status in [nil, 200, 404] as [Int?] {
                number += 1
                try writer.write(
                    [.request(Sample.request(number))]
                        + [status.map { .response(Sample.response(number, status: $0)) }]
                        .compactMap(\.self) + [.end(Sample.end(number, outcome: outcome))])
            }
        }
        let reader = try StoreReader.open(folder.file())
        let all = try reader.exchanges()
        #expect(all.count == 18)
        var filter = ExchangeFilter()
        filter.failedOnly = true
        let failed = all.filter(\.hasFailed)
        #expect(failed.count == 10)
        #expect(try reader.exchanges(filter) == failed)
        var expected = TrafficTotal(key: .init())
        for exchange in all { expected.add(exchange.records) }
        for grouping in TrafficGrouping.allCases {
            let totals = try reader.totals(by: grouping, in: .always)
            #expect(totals.reduce(0) { $0 + $1.failures } == expected.failures)
            #expect(totals.reduce(0) { $0 + $1.unanswered } == expected.unanswered)
            #expect(totals.reduce(0) { $0 + $1.incomplete } == expected.incomplete)
        }
        #expect(expected.unanswered == 5)
        #expect(expected.incomplete == 3)
    }

    @Test("an answer of HTTP/0.9 is one, and unknown sizes are counted, in each sum")
    func answers() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var bare = Sample.response(1, status: 0, size: WireSize(body: .captured(28)))
        bare.httpVersion = "0.9"
        var lost = Sample.response(2, status: 0, size: .unknown)
        lost.httpVersion = ""
        try writer.write([
            .request(Sample.request(1)), .response(bare), .end(Sample.end(1)),
            .request(Sample.request(2)), .response(lost), .end(Sample.end(2, outcome: .incomplete, total: nil)),
        ])
        let reader = try StoreReader.open(folder.file())
        for grouping in TrafficGrouping.allCases {
            let totals = try reader.totals(by: grouping, in: .always)
            #expect(totals.reduce(0) { $0 + $1.responses } == 1)
            #expect(totals.reduce(0) { $0 + $1.unanswered } == 0)
            #expect(totals.reduce(0) { $0 + $1.down.unknown } == 1)
            #expect(totals.reduce(0) { $0 + $1.partlyUnknown } == 1)
            #expect(totals.reduce(0) { $0 + $1.failures } == 0)
            #expect(totals.reduce(0) { $0 + $1.latency.count } == 1)
        }
    }

    @Test("failures of a file of the first version get the domain that their code's sign stood for")
    func migration() throws {
        let folder = try Folder()
        let failures = [-1_001, 7, 0].map { ExchangeFailure(.posix, code: $0, message: "why") }
        let writer = try StoreWriter.open(folder.file("newer.db"))
        for (index, failure) in failures.enumerated() {
            let number = Int64(index + 1)
            try writer.write([
                .request(Sample.request(number)), .end(Sample.end(number, outcome: .failed(failure))),
            ])
        }
        try writer.close()
        try ReleasedStore.make(from: folder.file("newer.db"), at: folder.file(), upTo: "2")
        let again = try StoreWriter.open(folder.file())
        let reader = try StoreReader.open(folder.file())
        #expect(
            try reader.exchanges().map(\.end?.outcome.failure) == [
                ExchangeFailure(.urlSession, code: -1_001, message: "why"),
                ExchangeFailure(.libcurl, code: 7, message: "why"),
                ExchangeFailure(.archive, code: 0, message: "why"),
            ])
        // New rows keep the domain of their event.
        try again.write([.request(Sample.request(9)), .end(Sample.end(9, outcome: .failed(failures[1])))])
        let later = try StoreReader.open(folder.file())
        #expect(try later.exchanges().last?.end?.outcome == .failed(failures[1]))
    }
}
