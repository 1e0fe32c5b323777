import Foundation
import Testing

/// The privacy manifest names what the library calls of Apple's required-reason interfaces, and nothing else.
///
/// The interfaces are those of
/// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api.
@Suite
struct PrivacyManifestTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names of each category, as far as code without user interface may call them.
    private static let interfaces = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "statfs", "statvfs", "fstatfs", "fstatvfs", "volumeAvailableCapacityKey", "systemFreeSize", "systemSize",
        ],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]

    /// The rooms that only Linux builds, and those that run beside an app, not in it.
    private static let others = [
        "CCurlTap", "CStreamTap", "WireweightPreload", "WireweightCommand", "MachineExamination", "WireweightTesting",
    ]

    private func used() throws -> Set<String> {
        let sources = Self.root.appendingPathComponent("Sources")
        var words: Set<Substring> = []
        for room in try FileManager.default.contentsOfDirectory(atPath: sources.path) where !Self.others.contains(room)
        {
            let files = FileManager.default.enumerator(atPath: sources.appendingPathComponent(room).path)
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") || file.hasSuffix(".c") else { continue }
                let text = try String(
                    contentsOf: sources.appendingPathComponent(room).appendingPathComponent(file), encoding: .utf8)
                for line in text.split(separator: "\n") where !line.contains("///") {
                    words.formUnion(line.split { !($0.isLetter || $0.isNumber || $0 == "_") })
                }
            }
        }
        return Set(Self.interfaces.filter { $0.value.contains { words.contains(Substring($0)) } }.keys)
    }

    private func manifest() throws -> [String: Any] {
        let file = Self.root.appendingPathComponent("Sources/Wireweight/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test("It names each category that the library uses, with its reasons")
    func categories() throws {
        let entries = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let named = entries.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        #expect(Set(named) == (try used()))
        #expect(named.count == entries.count)
        let reasons = entries.compactMap { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] }
        #expect(reasons == [["C617.1"], ["35F9.1"]])
    }

    @Test("It says that nothing is tracked or collected")
    func collection() throws {
        let manifest = try manifest()
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
    }
}
