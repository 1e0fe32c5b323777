import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

@Suite(
    "run and a program with a filter of system calls (seccomp)",
    .enabled(if: Built.isComplete, "needs 'make build'"))
struct FilteredRunTests {
    /// Those that docs/limits.md names.
    private static let named: [String] = {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        let page = try? String(contentsOf: root.appendingPathComponent("docs/limits.md"), encoding: .utf8)
        let list = page?.components(separatedBy: "- Without libcurl the tap makes system calls").last?
            .components(separatedBy: "  If the filter refuses").first
        let words = (list ?? "").matches(of: #/`([a-z_]+)`/#).map { String($0.1) }
        return Set(words).sorted()
    }()
    /// Without those of memory and locks, which the program's C library may need, too.
    private static let refusable = named.filter { !["brk", "futex", "mmap", "mprotect"].contains($0) }

    private enum Role: String, CaseIterable { case client, server }

    /// Runs the program, one end of which has a filter, under `run` with those options.
    private func run(
        _ role: Role, _ otherwise: String, _ allowed: [String], options: [String] = [],
        _ body: (Ended, Store) throws -> Void
    ) throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let file = folder.appendingPathComponent("file").path
            try FileManager.default.copyItem(atPath: Built.program("started-static"), toPath: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let program = [try Built.program("filtered"), role.rawValue, otherwise, file] + allowed
            let ended = try launch(["timeout", "60", Built.command, "run", "--db", store] + options + ["--"] + program)
            try body(ended, Store(path: store))
        }
    }

    @Test("no other than the calls that are named are made", arguments: Role.allCases)
    private func enough(role: Role) throws {
        try run(role, "kill", Self.named) { ended, store in
            #expect(ended.status == 0 && ended.outputText == "60252\n", "\(ended)")
            let rows = try store.exchanges()
            #expect(rows.count == 12)
            #expect(rows.allSatisfy { $0["outcome"] as? String == "completed" })
            let sizes = rows.map { ($0["response"] as? [String: Any])?["total"] as? Int }
            #expect(sizes == .init(repeating: 10_042, count: 12))
        }
    }

    @Test("a filter that ends the program is named, and how to have none of these calls")
    func ended() throws {
        try run(.client, "kill", []) { ended, _ in
            #expect(ended.status == 128 + SIGSYS, "\(ended)")
            #expect(ended.errorText.contains("SIGSYS ended the program") && ended.errorText.contains("--only-libcurl"))
        }
        // Starts of programs are watched all the same.
        let starts = [
            "access", "close", "faccessat", "getgid", "getuid", "getxattr", "openat", "prctl", "pread", "stat",
            "statfs",
        ]
        try run(.client, "kill", starts + ["connect", "sendto", "socket"], options: ["--only-libcurl"]) { ended, _ in
            #expect(ended.status == 0 && ended.outputText == "60252\n", "\(ended)")
            #expect(!ended.errorText.contains("SIGSYS"))
        }
    }

    @Test("a filter that refuses them changes nothing for the program", arguments: [[]] + refusable.map { [$0] })
    func refused(refused: [String]) throws {
        let allowed = refused.isEmpty ? [] : Self.named.filter { !refused.contains($0) }
        for role in refused.isEmpty ? Role.allCases : [.client] {
            try run(role, "refuse", allowed) { ended, _ in
                #expect(ended.status == 0 && ended.outputText == "60252\n", "\(refused) \(ended)")
            }
        }
    }
}
