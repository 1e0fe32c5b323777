/// What `wireweight help exit-status` prints; the manual and docs/using.md have the same in more words.
enum ExitStatusText {
    /// The word after `help`.
    static let topic = "exit-status"

    /// Each status, and what it means.
    static let meanings: [(status: String, meaning: String)] = [
        ("0", "done; the check holds"),
        ("1", "a check failed: budget, verify, doctor, demo, run --require-traffic"),
        ("64", "wrong usage: an unknown command or option, or an impossible value"),
        ("65", "bad input: no store, HAR or capture, damaged, or of a newer version"),
        ("69", "something that is needed is not there: the tap, tshark, or the pager"),
        ("70", "an error inside Wireweight"),
        ("71", "the system refused a socket"),
        ("73", "a file or a folder cannot be written"),
        ("74", "writing the output failed"),
        ("126", "'run' found the program, but it cannot be run"),
        ("127", "'run' did not find the program"),
        ("128 + n", "signal n ended the program, and 'run' could not end by it, too"),
    ]

    /// The lines.
    static var text: String {
        let width = meanings.map(\.status.count).max() ?? 0
        let lines = meanings.map { status, meaning in
            "  " + status + String(repeating: " ", count: width - status.count) + "  " + meaning
        }
        return """
            'wireweight run' ends as its program ends: with the program's status, or by the
            signal that ended it. Other commands, and 'run' if it cannot start, end with:


            """ + lines.joined(separator: "\n") + "\n"
    }
}
