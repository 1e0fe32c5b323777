import Foundation
import TestSupport
import Testing

@testable import TrafficStore

@Suite("Values left to a later pass")
struct LeftValuesTests {
    private func values(_ count: Int) -> [GroupRanker.Value] {
        (0..<count).map { GroupRanker.Value(Int64($0), in: UInt64($0 + 1)) }
    }

    private func bytes(_ values: [GroupRanker.Value]) -> [UInt8] { values.withUnsafeBytes(Array.init) }

    @Test("They come back as they were, in their order, and leave no file")
    func comeBack() throws {
        let folder = try Folder()
        guard var left = LeftValues(in: ["/nowhere", folder.path]) else {
            Issue.record("there is no file")
            return
        }
        let all = values(200_000)
        for first in stride(from: 0, to: all.count, by: 4_096) {
            left.append(Array(all[first..<min(first + 4_096, all.count)]))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        for _ in 0..<2 {
            var read: [UInt8] = []
            let isWhole = left.forEachPiece { read += bytes($0) }
            #expect(isWhole)
            #expect(read == bytes(all))
        }
    }

    @Test("Where no file can be made there is none")
    func nowhere() {
        let isNone = LeftValues(in: ["/nowhere"]) == nil
        #expect(isNone)
    }

    #if os(Linux)
        /// In a process of its own, whose files may have 64 KiB.
        @Test("On a full disk they are not whole, and the process goes on")
        func full() async {
            await #expect(processExitsWith: .success) {
                var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                guard var left = LeftValues() else { throw CancellationError() }
                for _ in 0..<4 { left.append((0..<4_096).map { GroupRanker.Value(1, in: UInt64($0)) }) }
                let isWhole = left.forEachPiece { _ in Issue.record("no value is used") }
                #expect(!isWhole)
            }
        }
    #endif
}
