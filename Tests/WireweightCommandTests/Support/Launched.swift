import Foundation
import Testing

/// How a program ended, and what it wrote.
struct Ended: CustomStringConvertible {
    /// The exit status, or 128 and the signal's number, as a shell has it.
    var status: Int32
    var output: Data
    var errors: Data
    var seconds: Double

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errors, as: UTF8.self) }

    var description: String { "status \(status)\n\(outputText)\n\(errorText)" }
}

/// A program that we start with clean signals and no descriptors but the first three.
///
/// Foundation's `Process` hands on the signal mask of whichever thread started it, and these tests are about signals.
final class Launched {
    let pid: pid_t
    private let began = ProcessInfo.processInfo.systemUptime
    private let folder: URL
    private var ended: Ended?

    /// Starts a program.
    ///
    /// Its first word is its path or name. Where there is no input, it reads from nothing. The environment is ours with
    /// changes; nil takes a variable out.
    init(
        _ words: [String], input: String? = nil, environment changes: [String: String?] = [:], inOwnGroup: Bool = false
    ) throws {
        folder = try Scratch.makeFolder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var inputPath = "/dev/null"
        if let input {
            inputPath = folder.appendingPathComponent("in").path
            try input.write(toFile: inputPath, atomically: false, encoding: .utf8)
        }
        let (out, err) = (folder.appendingPathComponent("out").path, folder.appendingPathComponent("err").path)
        posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // What other tests have open at this moment is not the program's, and some have hundreds of connections; closing what
        // is not open is no error.
        for descriptor in Int32(3)..<2_048 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var variables = ProcessInfo.processInfo.environment
        // No run is kept, unless a test says where.
        variables["XDG_STATE_HOME"] = "/dev/null/none"
        for (name, value) in changes { variables[name] = value }
        // curl reads a user's settings otherwise.
        variables["HOME"] = "/nonexistent"
        let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let settings: [UnsafeMutablePointer<CChar>?] =
            variables.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (pointers + settings).forEach { free($0) } }
        var started = pid_t()
        let code = posix_spawnp(&started, words[0], &actions, &attributes, pointers, settings)
        guard code == 0 else { throw Failed("\(words[0]): \(String(cString: strerror(code)))") }
        pid = started
    }

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it has written so far.
    var outputSoFar: String {
        (try? String(contentsOf: folder.appendingPathComponent("out"), encoding: .utf8)) ?? ""
    }

    /// What it has written to standard error so far.
    var errorsSoFar: String {
        (try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? ""
    }

    /// Waits for its end; kills it, and fails, when it takes too long.
    func wait(seconds: Double = 120) throws -> Ended {
        if let ended { return ended }
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            if ProcessInfo.processInfo.systemUptime - began > seconds {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                ended = Ended(status: -1, output: Data(), errors: Data(), seconds: seconds)
                throw Failed("it did not end within \(seconds) seconds: \(outputSoFar)")
            }
            usleep(2_000)
        }
        let signal = status & 0x7F
        let result = Ended(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: (try? Data(contentsOf: folder.appendingPathComponent("out"))) ?? Data(),
            errors: (try? Data(contentsOf: folder.appendingPathComponent("err"))) ?? Data(),
            seconds: ProcessInfo.processInfo.systemUptime - began)
        ended = result
        return result
    }
}

/// Why a test cannot go on.
struct Failed: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Runs a program to its end.
func launch(_ words: [String], input: String? = nil, environment: [String: String?] = [:]) throws -> Ended {
    try Launched(words, input: input, environment: environment).wait()
}

/// Waits until something holds.
func waitUntil(seconds: Double = 60, _ what: String, _ condition: () throws -> Bool) throws {
    let end = ProcessInfo.processInfo.systemUptime + seconds
    while try !condition() {
        if ProcessInfo.processInfo.systemUptime > end { throw Failed("it did not come: \(what)") }
        usleep(2_000)
    }
}

/// Folders that are gone when the tests have ended.
enum Scratch {
    /// A folder for one use; whoever makes it removes it.
    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ww-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Calls with a folder that is gone afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try Scratch.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
