import Foundation

/// How a program ended.
enum ProgramEnding {
    case exited(Int32)
    case signalled(Int32)

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }

    /// Whether it ended by itself, and well.
    var isSuccess: Bool {
        if case .exited(0) = self { true } else { false }
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
    /// What came before there was a program: whoever sent it, it has not reached the program.
    private let early: sigset_t

    /// The signals that are handed on, and the child's end.
    private static let handedOn = [
        SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTSTP, SIGCONT,
    ]

    /// Blocks the signals that are handed on.
    ///
    /// Before any thread is made: threads inherit it.
    static func blockSignals() -> (blocked: sigset_t, before: sigset_t) {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        for number in handedOn + [SIGCHLD] { sigaddset(&blocked, number) }
        sigprocmask(SIG_BLOCK, &blocked, &before)
        return (blocked, before)
    }

    /// Starts the program with the signals as they were.
    static func start(
        _ program: Program, environment: Environment, blocked: sigset_t, before: sigset_t
    ) throws(RunFailure) -> ChildProcess {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = before
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid = pid_t()
        var code = environment.withPointers { variables in
            program.arguments.withPointers { posix_spawn(&pid, program.path, nil, &attributes, $0, variables) }
        }
        // What has no magic number is a script for the shell, as execvp has it.
        if code == ENOEXEC {
            let script = [Array("/bin/sh".utf8CString), program.path] + program.arguments.dropFirst()
            code = environment.withPointers { variables in
                script.withPointers { posix_spawn(&pid, "/bin/sh", nil, &attributes, $0, variables) }
            }
        }
        guard code == 0 else {
            throw RunFailure("'\(program.words[0])' cannot be run: \(String(cString: strerror(code)))", status: 126)
        }
        // Before anything else: what comes from here on, a terminal sends to the program as well.
        var early = sigset_t()
        sigpending(&early)
        becomeCompanion()
        return ChildProcess(pid: pid, waited: blocked, early: early)
    }

    /// What is the program's to inherit has been inherited; from here on this process has its own ways.
    private static func becomeCompanion() {
        // Whoever started us may ignore it, and then nobody would hear how the program ended.
        signal(SIGCHLD, SIG_DFL)
        // A reader of our standard error that goes away must not cost the program its exit status.
        signal(SIGPIPE, SIG_IGN)
        // A limit to the size of files is an error to tell, and not this process' end.
        signal(SIGXFSZ, SIG_IGN)
        // Each process that is metered takes a descriptor.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(7), &limit) == 0 {
            limit.rlim_cur = min(limit.rlim_max, 65_536)
            setrlimit(__rlimit_resource_t(7), &limit)
        }
    }

    /// Waits for the end; meanwhile calls back four times a second, and before this process is stopped.
    func wait(tick: () -> Void, beforeStop: () -> Void) -> ProgramEnding {
        var (set, early) = (waited, early)
        while true {
            var status: Int32 = 0
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { return ProgramEnding(waitStatus: status) }
            // Somebody else took the child's end; how it was is not to be known any more.
            if ended < 0, errno == ECHILD { return .exited(0) }
            var information = siginfo_t()
            var pause = timespec(tv_sec: 0, tv_nsec: 250_000_000)
            let number = sigtimedwait(&set, &information, &pause)
            tick()
            guard number > 0, number != SIGCHLD, number != SIGWINCH else { continue }
            // What the terminal sends, it sends to the program as well.
            let isFromTerminal = information.si_code > 0
            if !isFromTerminal || sigismember(&early, number) == 1 { kill(pid, number) }
            sigdelset(&early, number)
            if number == SIGTSTP {
                beforeStop()
                stop()
            }
        }
    }

    /// Stops this process as the signal would have, had it not been blocked.
    private func stop() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        kill(getpid(), SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        sigprocmask(SIG_BLOCK, &set, nil)
    }
}
