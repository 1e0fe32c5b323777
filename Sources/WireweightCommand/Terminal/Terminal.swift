#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Locks
import TextFormats

/// The command's access to the terminal and the environment.
enum Terminal {
    /// Whether standard output was a terminal when the command started, before a pager took its place.
    static let isOutput = isatty(STDOUT_FILENO) == 1

    private static let startWidth = width(of: STDOUT_FILENO)
    private static let options = Mutex((colour: StyleOptions.Colour.auto, isUTC: false, wantsPager: true))

    /// The width of text if its reader is no terminal.
    private static let usualWidth = 160

    /// Applies the options of a command.
    static func apply(_ style: StyleOptions) {
        options.withLock { ($0.colour, $0.isUTC) = (style.color, style.utc) }
    }

    /// Applies whether long output may go through a pager.
    static func apply(wantsPager: Bool) { options.withLock { $0.wantsPager = wantsPager } }

    /// Whether long output may go through a pager.
    static var wantsPager: Bool { options.withLock(\.wantsPager) }

    /// The style of text for standard output: the terminal's width and colours, or, if it is not a terminal, no colour
    /// and the width that `COLUMNS` says.
    static var style: TextStyle {
        let named = environment("COLUMNS").flatMap(Int.init)
        return TextStyle(
            width: isOutput ? startWidth ?? named ?? 80 : named ?? usualWidth, hasColour: hasColour(isOutput),
            zone: zone)
    }

    /// The same for a table that names the columns that do not fit.
    static var tableStyle: TextStyle {
        var style = style
        style.namesHiddenColumns = true
        return style
    }

    /// The style of text for standard error.
    static var errorStyle: TextStyle {
        TextStyle(width: size?.columns ?? 120, hasColour: hasColour(isatty(STDERR_FILENO) == 1), zone: zone)
    }

    /// The zone in which people read times: the user's, as it is now, or UTC.
    static var zone: ClockZone {
        if options.withLock({ $0.isUTC }) { return .utc }
        var now = time(nil)
        var parts = tm()
        guard localtime_r(&now, &parts) != nil, let name = parts.tm_zone else { return .utc }
        return ClockZone(offset: Int64(parts.tm_gmtoff), name: String(cString: name))
    }

    /// Whether text has colours: by the option, or else by the environment (https://no-color.org,
    /// https://bixense.com/clicolors).
    private static func hasColour(_ isTerminal: Bool) -> Bool {
        switch options.withLock({ $0.colour }) {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if !(environment("NO_COLOR") ?? "").isEmpty { return false }
        if let force = environment("CLICOLOR_FORCE"), !force.isEmpty, force != "0" { return true }
        return isTerminal && isCapable && environment("CLICOLOR") != "0"
    }

    /// The rows and columns of the terminal that standard error is; nil if it is none.
    static var size: (rows: Int, columns: Int)? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    private static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Whether the terminal supports escape sequences.
    static var isCapable: Bool { (environment("TERM") ?? "dumb") != "dumb" }

    /// Prints an error on standard error.
    static func complain(_ message: String) { say("error: \(message)") }

    /// Prints a note on standard error.
    static func note(_ message: String) { say(message) }

    /// Draws lines of our own on standard error, if it is a terminal that is wide enough and may have colours.
    static func draw(_ lines: [String], width: Int) {
        guard let size, size.columns >= width, errorStyle.hasColour else { return }
        for line in lines { put(line) }
    }

    private static func say(_ message: String) { put(TerminalText.escaped(message)) }

    private static func put(_ line: String) {
        WaitingLine.end()
        let text = Array("\(line)\n".utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// The value of a variable of the environment.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
