import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What a page asks again and again is compiled and counted once.
@Suite("Statements that stay compiled") struct KeptStatementTests {
    private struct Enough: Error {}

    @Test("are the same for the same text, and few")
    func sameText() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        let connection = try ReadConnection(StoreFile(path: folder.file()))
        try connection.read { database in
            let first = try connection.kept("SELECT 1", database)
            #expect(try connection.kept("SELECT 1", database) === first)
            for number in 2...40 { #expect(try connection.kept("SELECT \(number)", database).value() == Int64(number)) }
            #expect(try first.value() == 1)
        }
    }

    @Test("hold nothing when a visit ends early, also with an error")
    func endings() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in Int64(1)...5 { try writer.write(Sample.events(id)) }
        let reader = try StoreReader.open(folder.file())
        for number in 6...8 {
            #expect(try reader.exchanges(limit: 2).map(\.id.rawValue) == [1, 2])
            #expect(throws: Enough.self) {
                try reader.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { _ in
                    throw Enough()
                }
            }
            try writer.write(Sample.events(Int64(number)))
            #expect(try reader.exchanges().count == number)
            // A reader that still saw an earlier state would keep the log from being taken over.
            let busy = try writer.queue.writeWithoutTransaction {
                try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] as Int64?
            }
            #expect(busy == 0)
        }
    }

    @Test("take the values of each call, also inside each other")
    func values() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in Int64(1)...4 { try writer.write(Sample.events(id)) }
        let reader = try StoreReader.open(folder.file())
        var seen: [Int64] = []
        for task in Int64(1)...4 {
            var filter = ExchangeFilter()
            filter.task = StoredExchange.ID(task)
            try reader.forEachHead(matching: filter, order: .oldestFirst, after: nil) { one in
                try reader.forEachHead(matching: filter, order: .oldestFirst, after: nil) { other in
                    #expect(other.id == one.id)
                    return true
                }
                seen.append(one.id.rawValue)
                return true
            }
        }
        #expect(seen == [1, 2, 3, 4])
    }

    @Test("The state changes with each write and with nothing else")
    func state() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        let reader = try StoreReader.open(folder.file())
        let first = try reader.state()
        _ = try reader.exchanges()
        #expect(try reader.state() == first)
        try writer.write(Sample.events(2))
        let second = try reader.state()
        #expect(second.changes != first.changes && second.generation == first.generation)
        try writer.clear()
        #expect(try reader.state().generation == first.generation + 1)
        #expect(try reader.state() == reader.state())
    }

    @Test("The directions are known until something is written")
    func directions() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.directions() == [.called])
        #expect(try reader.directions(at: reader.state()) == [.called])
        var request = Sample.request(2)
        request.direction = .served
        try writer.write([.request(request), .end(Sample.end(2, at: 50))])
        #expect(try reader.directions(at: reader.state()) == nil)
        #expect(try reader.directions() == [.called, .served])
    }
}
