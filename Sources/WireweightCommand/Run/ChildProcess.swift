import MachineExamination
import Foundation

/// How a program ended.
enum ProgramEnding {
    case exited(Int32)
    case signalled(Int32)

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }

    /// Whether the program exited with status 0.
    var isSuccess: Bool {
        if case .exited(0) = self { true } else { false }
    }

    /// Whether a filter of system calls (seccomp) ended it, or a program that a shell ran.
    var isByFilter: Bool {
        switch self {
        case .exited(let status): status == 128 + SIGSYS
        case .signalled(let number): number == SIGSYS
        }
    }

    /// Ends this process in the same way, so that the process that waits for it sees no difference.
    func endLikeChild() -> Never {
        switch self {
        case .exited(let status): exit(status)
        case .signalled(let number):
            // Avoid a second core file.
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

/// The running program: this process passes its signals on to it and waits for its end.
struct ChildProcess {
    let pid: pid_t
    private let waited: sigset_t
    /// The signals that came before the program existed; they have not reached it.
    private let early: sigset_t

    /// The signals that are passed on, and SIGCHLD.
    private static let handedOn = [
        SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTSTP, SIGCONT,
    ]

    /// Blocks the signals that are passed on.
    ///
    /// Call it before any thread is made, because threads inherit the mask.
    static func blockSignals() -> (blocked: sigset_t, before: sigset_t) {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        for number in handedOn + [SIGCHLD] { sigaddset(&blocked, number) }
        sigprocmask(SIG_BLOCK, &blocked, &before)
        return (blocked, before)
    }

    /// Starts the program with the signal mask that this process had at its start.
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
        // Like execvp, run a file without a magic number as a script of the shell.
        if code == ENOEXEC {
            let script = [Array("/bin/sh".utf8CString), program.path] + program.arguments.dropFirst()
            code = environment.withPointers { variables in
                script.withPointers { posix_spawn(&pid, "/bin/sh", nil, &attributes, $0, variables) }
            }
        }
        guard code == 0 else {
            throw RunFailure("'\(program.words[0])' cannot be run: \(String(cString: strerror(code)))", status: 126)
        }
        // First of all: from here on, a terminal sends its signals to the program as well.
        var early = sigset_t()
        sigpending(&early)
        becomeCompanion()
        return ChildProcess(pid: pid, waited: blocked, early: early)
    }

    /// Changes settings of this process that the program must not inherit; call it after the program has started.
    private static func becomeCompanion() {
        // If our parent ignores SIGCHLD, we inherited that, and would not learn how the program ended.
        signal(SIGCHLD, SIG_DFL)
        // If the reader of our standard error goes away, we must still pass on the program's exit status.
        signal(SIGPIPE, SIG_IGN)
        // If a file reaches the size limit, we report an error instead of being killed.
        signal(SIGXFSZ, SIG_IGN)
        // Each metered process needs a descriptor.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(7), &limit) == 0 {
            limit.rlim_cur = min(limit.rlim_max, 65_536)
            setrlimit(__rlimit_resource_t(7), &limit)
        }
    }

    /// Waits for the program's end; meanwhile calls `tick` four times a second, and `beforeStop` before this process
    /// stops.
    func wait(tick: () -> Void, beforeStop: () -> Void) -> ProgramEnding {
        var (set, early) = (waited, early)
        while true {
            var status: Int32 = 0
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { return ProgramEnding(waitStatus: status) }
            // Other code has already waited for the child, so its status is lost.
            if ended < 0, errno == ECHILD { return .exited(0) }
            var information = siginfo_t()
            var pause = timespec(tv_sec: 0, tv_nsec: 250_000_000)
            let number = sigtimedwait(&set, &information, &pause)
            tick()
            guard number > 0, number != SIGCHLD, number != SIGWINCH else { continue }
            // The terminal sends its signals to the program as well, so those are not passed on. But when it is closed,
            // only the leader of its session gets a hang-up.
            let isLeader = number == SIGHUP && getsid(0) == getpid()
            let isFromTerminal = information.si_code > 0 && !isLeader
            if !isFromTerminal || sigismember(&early, number) == 1 { kill(pid, number) }
            sigdelset(&early, number)
            if number == SIGTSTP {
                beforeStop()
                stop()
            }
        }
    }

    /// Stops this process as the signal would have done if it were not blocked.
    private func stop() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        kill(getpid(), SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        sigprocmask(SIG_BLOCK, &set, nil)
    }
}
