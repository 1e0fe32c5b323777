#if !os(Linux)
    import ArgumentParser

    /// A subcommand that meters other programs, which only the command for Linux can.
    protocol LinuxCommand: ParsableCommand {
        /// What one can do here in its place.
        static var instead: String { get }
    }

    extension LinuxCommand {
        /// Says so, with status 69 (`EX_UNAVAILABLE`).
        func run() throws {
            Terminal.complain("'\(Self._commandName)' works on Linux alone, because it hooks libcurl; \(Self.instead)")
            throw ExitCode.unavailable
        }
    }

    /// `wireweight run` on Linux.
    struct Run: LinuxCommand {
        static let configuration = CommandConfiguration(abstract: "Meter a program (on Linux).")
        static let instead = "an app meters itself with the library, see docs/apple-platforms.md"
        @Argument(parsing: .allUnrecognized) var words: [String] = []
    }

    /// `wireweight proxy` on Linux.
    struct ProxyCommand: LinuxCommand {
        static let configuration = CommandConfiguration(
            commandName: "proxy", abstract: "Meter phones and browsers through a proxy (on Linux).")
        static let instead = "see docs/proxy.md"
        @Argument(parsing: .allUnrecognized) var words: [String] = []
    }

    /// `wireweight demo` on Linux.
    struct Demo: LinuxCommand {
        static let configuration = CommandConfiguration(abstract: "Show a metered program (on Linux).")
        static let instead = "'wireweight inspect FILE' shows a store"
        @Argument(parsing: .allUnrecognized) var words: [String] = []
    }

    /// `wireweight doctor` on Linux.
    struct Doctor: LinuxCommand {
        static let configuration = CommandConfiguration(abstract: "Check what can be metered (on Linux).")
        static let instead = "'selfTest()' of a TrafficMonitor checks this process"
        @Argument(parsing: .allUnrecognized) var words: [String] = []
    }

    /// The doctor's test program on Linux.
    struct CanaryCommand: LinuxCommand {
        static let configuration = CommandConfiguration(
            commandName: "canaries", abstract: "Make the doctor's requests (on Linux).", shouldDisplay: false)
        static let instead = "nothing calls it here"
        @Argument(parsing: .allUnrecognized) var words: [String] = []
    }
#endif
