import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct FileTests {
    @Test func theFileAndItsCompanionsAreForTheOwnerOnly() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["traffic.db", "traffic.db-shm", "traffic.db-wal"])
        for name in names {
            var status = stat()
            #expect(stat(folder.file(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        try writer.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["traffic.db"])
    }

    @Test func aMissingFileIsNotMadeByReading() throws {
        let folder = try Folder()
        #expect(code { try StoreReader.open(folder.file()) } == .notFound)
        #expect(try folder.contents().isEmpty)
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        let folder = try Folder()
        #expect(code { try StoreWriter.open(folder.file("none/traffic.db")) } == .cannotCreate)
    }

    @Test func aTextFileStaysAsItIs() throws {
        let folder = try Folder()
        try Data("dear diary, this is not a database at all".utf8).write(to: URL(fileURLWithPath: folder.file()))
        try expectUntouched(folder, .notADatabase)
    }

    @Test func aFileCutShortStaysAsItIs() throws {
        let folder = try Folder()
        try Data("SQLite format 3\u{0}".utf8).write(to: URL(fileURLWithPath: folder.file()))
        try expectUntouched(folder, .notADatabase)
    }

    @Test(arguments: ["delete", "wal"]) func aDatabaseOfAnotherApplicationStaysAsItIs(_ mode: String) throws {
        let folder = try Folder()
        let other = try DatabaseQueue(path: folder.file())
        try other.writeWithoutTransaction {
            _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
            try $0.execute(sql: "CREATE TABLE photos(id INTEGER PRIMARY KEY)")
        }
        try other.close()
        try expectUntouched(folder, .notAWireweightStore)
    }

    @Test(arguments: [true, false]) func aStoreOfANewerVersionStaysAsItIs(_ hasNumber: Bool) throws {
        let folder = try Folder()
        try StoreWriter.open(folder.file()).close()
        let newer = try DatabaseQueue(path: folder.file())
        try newer.writeWithoutTransaction {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000')")
            if hasNumber { try $0.execute(sql: "PRAGMA user_version = 1000") }
        }
        try newer.close()
        try expectUntouched(folder, .newerVersion)
    }

    @Test func anEmptyFileBecomesAStore() throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        #expect(try StoreReader.open(folder.file()).exchanges().count == 1)
    }

    @Test func aStoreIsAddedToWhenItIsOpenedAgain() throws {
        let folder = try Folder()
        for _ in 0..<3 {
            let writer = try StoreWriter.open(folder.file())
            try writer.write(Sample.events(1))
            try writer.close()
        }
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.id.rawValue) == [1, 2, 3])
        #expect(try reader.totals(by: .method, in: .always).map(\.requests) == [3])
    }

    @Test func manyWhoMakeTheSameFileAtOnceShareOne() throws {
        let folder = try Folder()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                let writer = try StoreWriter.open(folder.file())
                try writer.write(Sample.events(1))
                try writer.close()
            } catch {
                Issue.record(error)
            }
        }
        #expect(try StoreReader.open(folder.file()).exchanges().map(\.id.rawValue) == Array(1...8))
        #expect(try folder.contents().keys.allSatisfy { $0.hasPrefix("traffic.db") && !$0.contains(".new-") })
    }

    @Test func theFileAloneCanBeReadWithoutTouchingItsFolder() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("odd name?#%.db"))
        try writer.write(Sample.events(1))
        try writer.close()
        var configuration = Configuration()
        configuration.readonly = true
        let file = StoreFile(path: folder.file("odd name?#%.db"))
        let queue = try DatabaseQueue(path: file.immutableURI, configuration: configuration)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM exchange") } == 1)
        #expect(try folder.contents().count == 1)
    }

    // The superuser may write anywhere, so there is nothing to see for him.
    @Test(.enabled(if: geteuid() != 0)) func aFolderThatCannotBeWrittenIsReadAndNotWritten() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        try writer.close()
        let before = try folder.contents()
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        #expect(code { try StoreWriter.open(folder.file()) } == .readOnly)
        #expect(code { try StoreWriter.open(folder.file("new.db")) } == .cannotCreate)
        #expect(try StoreReader.open(folder.file()).exchanges().count == 1)
        #expect(try folder.contents() == before)
    }

    @Test func aReaderSeesWhatAWriterCommittedAndNeverClosed() throws {
        let folder = try Folder()
        let copy = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1))
        // What a killed process leaves: the file and its log as they are.
        for name in ["traffic.db", "traffic.db-wal"] {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
        }
        #expect(try StoreReader.open(copy.file()).exchanges().map(\.end) == [Sample.storedEnd(1)])
        #expect(try StoreReader.open(folder.file()).exchanges().count == 1)
        let check = try DatabaseQueue(path: copy.file())
        #expect(try check.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func aReadThatIsUnderWayKeepsItsState() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for number in 1...5 { try writer.write(Sample.events(Int64(number))) }
        let reader = try StoreReader.open(folder.file())
        var seen: [Int64] = []
        try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
            try writer.write(Sample.events(100 + exchange.id.rawValue))
            #expect(try reader.exchange(exchange.id) != nil)
            seen.append(exchange.id.rawValue)
            return true
        }
        #expect(seen == [1, 2, 3, 4, 5])
        #expect(try reader.overview().exchanges == 10)
    }

    private func expectUntouched(_ folder: Folder, _ expected: StoreError.Code) throws {
        let before = try folder.contents()
        #expect(code { try StoreWriter.open(folder.file()) } == expected)
        #expect(code { try StoreReader.open(folder.file()) } == expected)
        #expect(try folder.contents() == before)
    }

    private func code(_ body: () throws -> Any) -> StoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }
}
