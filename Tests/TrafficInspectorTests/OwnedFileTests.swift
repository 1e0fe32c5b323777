import Foundation
import Testing

@testable import TrafficInspector

@Suite struct OwnedFileTests {
    private let path = NSTemporaryDirectory() + "owned-\(UUID().uuidString)"

    private func failure(_ body: () throws(FileFailure) -> Void) -> String? {
        do throws(FileFailure) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func isItsOwnersAloneAndHasAllBytesInOrder() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = OwnedFile(path: path)
        let many = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try file.put([1], .new)
        try file.put(many, .end)
        #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == [1] + many)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try file.put([2, 3], .empty)
        #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == [2, 3])
    }

    @Test func refusesWhatItWouldReplaceOrNotFind() throws {
        defer { for end in ["", ".link"] { try? FileManager.default.removeItem(atPath: path + end) } }
        #expect(
            failure { () throws(FileFailure) in try OwnedFile(path: path).put([1], .end) }
                == "No such file or directory")
        try OwnedFile(path: path).put([1], .new)
        #expect(failure { () throws(FileFailure) in try OwnedFile(path: path).put([2], .new) } == "File exists")
        try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: path)
        #expect(failure { () throws(FileFailure) in try OwnedFile(path: path + ".link").put([], .empty) } != nil)
        #expect(FileManager.default.contents(atPath: path) == Data([1]))
    }

    #if os(Linux)
        @Test func saysWhenTheDiskIsFull() {
            #expect(
                failure { () throws(FileFailure) in try OwnedFile(path: "/dev/full").put([1], .end) }
                    == "No space left on device")
        }
    #endif
}
