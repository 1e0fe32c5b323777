#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import TrafficModel
import TrafficReports

/// What the command asks of the terminal and the system.
enum Terminal {
    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How text for standard output may look: the terminal's width and colours; elsewhere no colour, and room
    /// enough that little is left out.
    static var style: TextStyle {
        guard isOutput else {
            return TextStyle(width: environment("COLUMNS").flatMap(Int.init) ?? 200)
        }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        // https://no-color.org: any value that is not empty.
        let wantsColour = (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        return TextStyle(width: isKnown ? Int(size.ws_col) : 80, hasColour: wantsColour)
    }

    /// How text for standard error may look.
    static var errorStyle: TextStyle {
        TextStyle(width: size?.columns ?? 120, hasColour: isCapable && (environment("NO_COLOR") ?? "").isEmpty)
    }

    /// Rows and columns of the terminal behind standard error; nil where there is none.
    static var size: (rows: Int, columns: Int)? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Whether the terminal knows escape sequences.
    static var isCapable: Bool { (environment("TERM") ?? "dumb") != "dumb" }

    /// The moment.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Says on standard error what went wrong.
    static func complain(_ message: String) { say("error: \(message)") }

    /// Says on standard error what is worth knowing.
    static func note(_ message: String) { say(message) }

    private static func say(_ message: String) {
        let text = Array("\(TerminalText.escaped(message))\n".utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
