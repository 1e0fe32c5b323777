internal import Foundation

/// Runs a program for inspection: without input, for a bounded time, and keeps its output.
struct Probe {
    /// How the program ended, and its output.
    struct Outcome {
        /// The exit status, or 128 plus the signal's number.
        var status: Int32
        var output: String
        var errors: String
        var isTimedOut = false
    }

    /// The folder that holds the program's output while it runs.
    let folder: String

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - words: the program's path, followed by its arguments.
    ///   - environment: the program's variables.
    ///   - seconds: the time after which the program is killed.
    /// - Returns: its status, and up to 65,536 bytes of each of its outputs.
    /// - Throws: ``RunFailure`` if the program cannot be started.
    func run(
        _ words: [String], environment: Environment = .current, seconds: Double = 60
    ) throws(RunFailure) -> Outcome {
        let files = ["\(folder)/out", "\(folder)/err"]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (number, file) in files.enumerated() {
            posix_spawn_file_actions_addopen(&actions, Int32(number + 1), file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        var pid = pid_t()
        let arguments = words.map { SystemString($0.utf8CString) }
        let code = environment.withPointers { variables in
            arguments.withPointers { posix_spawn(&pid, words[0], &actions, nil, $0, variables) }
        }
        guard code == 0 else {
            throw RunFailure("'\(words[0])' cannot be run: \(String(cString: strerror(code)))", status: 126)
        }
        let (status, isTimedOut) = Self.wait(for: pid, seconds: seconds)
        let texts = files.map { file in
            String(decoding: FileManager.default.contents(atPath: file)?.prefix(65_536) ?? Data(), as: UTF8.self)
        }
        return Outcome(status: status, output: texts[0], errors: texts[1], isTimedOut: isTimedOut)
    }

    private static func wait(for pid: pid_t, seconds: Double) -> (status: Int32, isTimedOut: Bool) {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        var status: Int32 = 0
        var isTimedOut = false
        while waitpid(pid, &status, isTimedOut ? 0 : WNOHANG) == 0 {
            if ProcessInfo.processInfo.systemUptime > end {
                kill(pid, SIGKILL)
                isTimedOut = true
            } else {
                usleep(2_000)
            }
        }
        return (status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F), isTimedOut)
    }
}
