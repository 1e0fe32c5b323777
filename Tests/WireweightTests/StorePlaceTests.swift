import Foundation
import Testing

@testable import Wireweight

/// Where a monitor's file is if the configuration names none.
@Suite("The file's place")
struct StorePlaceTests {
    private let state = FileManager.default.temporaryDirectory.appendingPathComponent("ww-\(UUID().uuidString)")

    @Test("a named file, and a folder that can be written, are left as they are")
    func ordinary() {
        for (store, folder) in [("other.db", "/"), ("/traffic.db", "/"), ("traffic.db", NSTemporaryDirectory())] {
            let place = StorePlace.path(of: store, in: folder, environment: ["XDG_STATE_HOME": state.path])
            #expect(place.path == store && place.note == nil)
        }
    }

    @Test("a daemon's file is in the folder for state, which is made, and a note says so")
    func daemon() throws {
        defer { try? FileManager.default.removeItem(at: state) }
        let name = ProcessInfo.processInfo.processName
        let expected = [
            (["XDG_STATE_HOME": state.path, "HOME": "/nowhere"], "\(state.path)/wireweight/\(name).db"),
            (["HOME": state.path], "\(state.path)/.local/state/wireweight/\(name).db"),
            (["STATE_DIRECTORY": "\(state.path)/own:/other", "HOME": "/nowhere"], "\(state.path)/own/traffic.db"),
        ]
        for (environment, path) in expected {
            let place = StorePlace.path(of: "traffic.db", in: "/", environment: environment)
            #expect(place.path == path)
            #expect(place.note?.contains("'/'") == true && place.note?.contains("'\(path)'") == true)
            var isFolder: ObjCBool = false
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue)
        }
    }

    @Test("without a folder for state the file stays where it was")
    func none() {
        for environment in [[:], ["XDG_STATE_HOME": "relative"], ["HOME": "/dev/null"]] {
            let place = StorePlace.path(of: "traffic.db", in: "/", environment: environment)
            #expect(place.path == "traffic.db" && place.note == nil)
        }
    }
}
