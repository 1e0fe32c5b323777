import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// An inspector looks on for as long as there is traffic.
@Suite struct LongReadingTests {
    @Test func aReaderDoesNotRememberAllThatItHasRead() throws {
        let folder = try Folder()
        let count: Int64 = 12_000
        let writer = try StoreWriter.open(folder.file())
        for first in stride(from: 1, through: count, by: 1_000) {
            try writer.write(
                (first..<first + 1_000).flatMap { number -> [TrafficEvent] in
                    var request = Sample.request(number, at: number)
                    request.query = "cursor=\(number)"
                    var end = Sample.end(number, at: number + 50)
                    end.remoteAddress = "10.\(number / 65_536).\(number / 256 % 256).\(number % 256):443"
                    return [.request(request), .end(end)]
                })
        }
        try writer.close()
        let reader = try StoreReader.open(folder.file())
        for _ in 0..<2 {
            var wrong = 0
            var number: Int64 = 0
            try reader.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
                number += 1
                if exchange.request.query != "cursor=\(number)" { wrong += 1 }
                if exchange.end?.remoteAddress.hasSuffix(".\(number % 256):443") != true { wrong += 1 }
                return true
            }
            #expect((number, wrong) == (count, 0))
        }
        // Queries, addresses, and a handful of all else.
        #expect(try #require(Entries.counts(in: reader)["values"]) < 9_000)
    }

    /// Who waits for readers with the file's log keeps all other writers out, and they give up.
    @Test func whoClosesWhileSomebodyReadsDoesNotWait() throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file(), busyTimeout: 120)
        try first.write(Sample.events(1))
        let second = try StoreWriter.open(folder.file(), busyTimeout: 0)
        let reader = try StoreReader.open(folder.file())
        try reader.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { _ in
            do {
                try second.write(Sample.events(2))
                let begin = ProcessInfo.processInfo.systemUptime
                try first.close()
                #expect(ProcessInfo.processInfo.systemUptime - begin < 60)
                try second.write(Sample.events(3))
            } catch {
                Issue.record(error)
            }
            return true
        }
        _ = try second.retain(RetentionPolicy(maxAge: 0))
        try second.close()
        #expect(try reader.totals(by: .host, in: .always).first?.requests == 3)
    }

    /// While readers hold the log back, the file's first page may describe pages that the file does not have yet.
    @Test func aFileWhoseLogIsHalfMovedCanBeOpened() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write((1...3_000).flatMap { Sample.events($0) })
        // The log has the newest first page, so the one in the file is not read.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file()))
        try file.seek(toOffset: 28)
        try file.write(contentsOf: [0, 0, 0x10, 0])
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().count == 3_000)
        let second = try StoreWriter.open(folder.file())
        try second.write(Sample.events(1))
        #expect(try reader.exchanges().count == 3_001)
        try second.close()
        try writer.close()
        try file.close()
    }
}
