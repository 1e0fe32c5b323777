import Foundation

/// How a program ended.
enum ProgramEnding {
    case exited(Int32)
    case signalled(Int32)

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }

    /// Ends this process in the same way, so that whoever waits sees no difference.
    func followIt() -> Never {
        switch self {
        case .exited(let status): exit(status)
        case .signalled(let number):
            // No second core file.
            var limit = rlimit()
            limit.rlim_cur = 0
            limit.rlim_max = 0
            setrlimit(__rlimit_resource_t(4), &limit)
            signal(number, SIG_DFL)
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, number)
            sigprocmask(SIG_UNBLOCK, &set, nil)
            kill(getpid(), number)
            exit(128 + number)
        }
    }
}

/// The program while it runs: our signals are handed on to it, and its end is waited for.
struct ChildProcess {
    let pid: pid_t
    private let waited: sigset_t

    /// Blocks the signals that are handed on.
    ///
    /// Before any thread is made: threads inherit it.
    static func blockSignals() -> (blocked: sigset_t, before: sigset_t) {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGCHLD] {
            sigaddset(&blocked, number)
        }
        sigprocmask(SIG_BLOCK, &blocked, &before)
        return (blocked, before)
    }

    /// Starts the program with the signals as they were.
    static func start(
        _ program: Program, environment: [String], blocked: sigset_t, before: sigset_t
    ) throws(RunFailure) -> ChildProcess {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = before
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = program.words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program.path, nil, &attributes, &arguments, &variables)
        guard code == 0 else {
            // What has no magic number is a script for the shell, as execvp has it.
            if code == ENOEXEC, program.words.first != "/bin/sh" {
                let script = try Program(["/bin/sh", program.path] + program.words.dropFirst())
                return try start(script, environment: environment, blocked: blocked, before: before)
            }
            throw RunFailure("'\(program.words[0])' cannot be run: \(String(cString: strerror(code)))", status: 126)
        }
        return ChildProcess(pid: pid, waited: blocked)
    }

    /// Waits for the end; meanwhile calls back four times a second.
    func wait(_ tick: () -> Void) -> ProgramEnding {
        var set = waited
        while true {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid { return ProgramEnding(waitStatus: status) }
            var information = siginfo_t()
            var pause = timespec(tv_sec: 0, tv_nsec: 250_000_000)
            let number = sigtimedwait(&set, &information, &pause)
            tick()
            guard number > 0, number != SIGCHLD, number != SIGWINCH else { continue }
            // What the terminal sends, it sends to the program as well.
            let isFromTerminal = information.si_code > 0
            if !isFromTerminal { kill(pid, number) }
        }
    }
}
