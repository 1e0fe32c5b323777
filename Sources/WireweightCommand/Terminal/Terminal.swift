#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import TextFormats

/// The command's access to the terminal and the environment.
enum Terminal {
    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The style of text for standard output: the terminal's width and colours, or, if it is not a terminal, no colour
    /// and enough width that little is left out.
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

    /// The style of text for standard error.
    static var errorStyle: TextStyle {
        TextStyle(width: size?.columns ?? 120, hasColour: isCapable && (environment("NO_COLOR") ?? "").isEmpty)
    }

    /// The rows and columns of the terminal that standard error is; nil if it is none.
    static var size: (rows: Int, columns: Int)? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Whether the terminal supports escape sequences.
    static var isCapable: Bool { (environment("TERM") ?? "dumb") != "dumb" }

    /// Prints an error on standard error.
    static func complain(_ message: String) { say("error: \(message)") }

    /// Prints a note on standard error.
    static func note(_ message: String) { say(message) }

    private static func say(_ message: String) {
        let text = Array("\(TerminalText.escaped(message))\n".utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
