#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Foundation
import Locks

/// The program through which long output goes on a terminal, as git does it.
///
/// `WIREWEIGHT_PAGER`, or else `PAGER`, or else `less`; an empty name or `cat` is none. `less` gets `FRX` unless `LESS` is
/// set: it ends at once if all fits on the screen, shows colours, and leaves the text on the terminal.
enum Pager {
    private struct Child {
        var pid: pid_t
        var command: String
        /// The standard output that the pager replaced.
        var terminal: Int32
    }

    private static let child = Mutex<Child?>(nil)

    /// Lets the output from now on go through the pager; does nothing if standard output is no terminal.
    static func start() {
        guard Terminal.isOutput, Terminal.isCapable, Terminal.wantsPager, let command = command,
            child.withLock({ $0 == nil })
        else { return }
        // The terminal's width is not known any more once the pager is there.
        _ = Terminal.style
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { ends.forEach { close($0) } }
        let terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard terminal >= 0, let pid = spawn(command, reading: ends[0]) else { return }
        // Ctrl-C is for the pager, which may only stop waiting for more; we end when it does.
        for number in [SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
        dup2(ends[1], STDOUT_FILENO)
        child.withLock { $0 = Child(pid: pid, command: command, terminal: terminal) }
    }

    /// Whether output goes through the pager now.
    static var isRunning: Bool { child.withLock { $0 != nil } }

    /// Waits until the user has left the pager; later output goes to the terminal.
    ///
    /// If Ctrl-C ended the pager, it ends this process, too.
    ///
    /// - Returns: whether the output could be shown.
    @discardableResult
    static func finish() -> Bool {
        guard
            let pager = child.withLock({ child in
                defer { child = nil }; return child
            })
        else { return true }
        dup2(pager.terminal, STDOUT_FILENO)
        close(pager.terminal)
        var status: Int32 = 0
        while waitpid(pager.pid, &status, 0) < 0, errno == EINTR {}
        for number in [SIGINT, SIGQUIT] { signal(number, SIG_DFL) }
        // A shell reports its program's signal as 128 and the number.
        let code = (status >> 8) & 0xFF
        let ending = status & 0x7F != 0 ? status & 0x7F : code > 128 ? code - 128 : 0
        if ending == SIGINT { raise(SIGINT) }
        guard code == 126 || code == 127 else { return true }
        Terminal.complain(
            "the pager '\(pager.command)' cannot be run; set PAGER to one that can, or add '--no-pager'")
        return false
    }

    /// The pager's command; nil for none.
    private static var command: String? {
        let named = Terminal.environment("WIREWEIGHT_PAGER") ?? Terminal.environment("PAGER")
        guard let named else { return hasLess ? "less" : nil }
        return named.isEmpty || named == "cat" ? nil : named
    }

    private static var hasLess: Bool {
        (Terminal.environment("PATH") ?? "").split(separator: ":").contains { access("\($0)/less", X_OK) == 0 }
    }

    private static func spawn(_ command: String, reading descriptor: Int32) -> pid_t? {
        // Darwin declares both as pointers.
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var environment = ProcessInfo.processInfo.environment
        environment["LESS"] = environment["LESS"] ?? "FRX"
        environment["LV"] = environment["LV"] ?? "-c"
        let shell: [String] = ["/bin/sh", "-c", command]
        let words: [UnsafeMutablePointer<CChar>?] = shell.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        return posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, variables) == 0 ? pid : nil
    }
}
