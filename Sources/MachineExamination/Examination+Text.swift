internal import Diagnosis
package import TextFormats
internal import TrafficModel

extension Examination {
    /// The findings as text for people; no line is wider than the terminal if that has 60 columns or more.
    ///
    /// - Parameters:
    ///   - style: the style of the text.
    ///   - isVerbose: whether the machine is described even if a program was named; its answer comes first then.
    /// - Returns: the text.
    package func text(_ style: TextStyle, isVerbose: Bool = true) -> String {
        let page = Page(style: style)
        let answer = program.map { page.program($0) }
        if let answer, !isVerbose {
            return answer + "\nThe self-test of this machine: \(conclusion) '--verbose' shows it.\n"
        }
        return [
            answer,
            page.machine(machine, version: version),
            page.checks("Inside a process, as TrafficMonitor meters it", inside),
            page.checks("From outside, as 'wireweight run' meters", outside),
            style.bold(conclusion) + "\n",
            page.capabilities(capabilities),
        ].compactMap(\.self).joined(separator: "\n")
    }
}

/// Lays out the parts of the doctor's text.
private struct Page {
    let style: TextStyle

    private var width: Int { min(style.width, 100) }

    /// Returns a name followed by a text, whose lines are aligned below each other.
    private func entry(
        _ name: String, _ text: String, indent: Int = 0, column: Int, mark: (String) -> String = { $0 }
    ) -> String {
        let room = max(20, width - indent - column)
        let lines = TerminalText.wrapped(TerminalText.escaped(text), to: room)
        let first = TerminalText.padded(name, to: column, right: false)
        let space = String(repeating: " ", count: indent)
        let gap = String(repeating: " ", count: column)
        let rest = lines.dropFirst().map { space + gap + $0 + "\n" }.joined()
        return space + mark(first) + (lines.first ?? "") + "\n" + rest
    }

    // MARK: the machine

    func machine(_ machine: Machine, version: String) -> String {
        func line(_ name: String, _ text: String) -> String { entry(name, text, column: 12) }
        let system = [machine.kernel, machine.processor, machine.libc].compactMap(\.self).joined(separator: ", ")
        var text = line("Wireweight", version) + line("System", system)
        text += line("Tap", machine.tap ?? "missing: \(machine.tapProblem ?? "")")
        for (number, library) in machine.libcurls.enumerated() {
            text += line(
                number == 0 ? "libcurl" : "", library.description + (library.isKnown ? "" : " (not supported)"))
        }
        if machine.libcurls.isEmpty { text += line("libcurl", "no shared library of that name is installed") }
        return text
            + line("tshark", machine.tshark?.version ?? "not installed; only comparisons with a capture need it")
    }

    // MARK: the canaries

    func checks(_ title: String, _ checks: [SelfTest.Check]) -> String {
        var text = style.bold(title) + "\n"
        text += style.dim(row("Style", "Expected up", "down", "Metered up", "down", "")) + "\n"
        for check in checks {
            let (expected, metered) = (check.expected, check.metered)
            text += row(
                check.style.title, bytes(expected?.up), bytes(expected?.down), bytes(metered?.up),
                bytes(metered?.down), marked(check.verdict))
            text += "\n"
        }
        // A reason that several styles share is printed once.
        var reasons: [(reason: String, titles: [String])] = []
        for check in checks {
            guard let reason = check.verdict.reason else { continue }
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].titles.append(check.style.title)
            } else {
                reasons.append((reason, [check.style.title]))
            }
        }
        for (reason, titles) in reasons {
            let subject = titles.count == checks.count ? "all" : titles.joined(separator: ", ")
            text += entry("", "\(subject): \(reason)", column: 2)
        }
        return text
    }

    private func row(
        _ name: String, _ up: String, _ down: String, _ meteredUp: String, _ meteredDown: String, _ verdict: String
    ) -> String {
        let columns = [(up, 13), (down, 8), (meteredUp, 12), (meteredDown, 8)]
        let numbers = columns.map { TerminalText.padded($0, to: $1, right: true) }.joined()
        return "  " + TerminalText.padded(name, to: 23, right: false) + numbers
            + (verdict.isEmpty ? "" : "  " + verdict)
    }

    private func bytes(_ count: ByteCount?) -> String { count.map { Units.count($0.bytes) } ?? "–" }

    private func marked(_ verdict: SelfTest.Verdict) -> String {
        let name = verdict.name.replacing("-", with: " ")
        return verdict == .exact ? style.green("ok") : verdict.isFailure ? style.red(name) : style.yellow(name)
    }

    // MARK: what can be metered

    func capabilities(_ capabilities: [SelfTest.Capability]) -> String {
        var text = style.bold("What can be metered") + "\n"
        for capability in capabilities {
            let advice = capability.advice.map { " \($0)" } ?? ""
            text += entry(
                capability.level.rawValue, "\(capability.subject): \(capability.explanation)\(advice)", indent: 2,
                column: 11, mark: { mark($0, capability.level) })
        }
        return text
    }

    private func mark(_ text: String, _ level: SelfTest.Capability.Level) -> String {
        switch level {
        case .exact: style.green(text)
        case .blind: style.red(text)
        default: style.yellow(text)
        }
    }

    func program(_ program: ProgramDiagnosis) -> String {
        let chain = program.interpreters.isEmpty ? "" : ", run by \(program.interpreters.joined(separator: ", then "))"
        var text = style.bold("The program \(TerminalText.escaped(program.path + chain))") + "\n"
        let answer =
            switch program.metering {
            case .exact: style.green("exact") + (program.verdict == .yes ? "" : " for what is named here")
            case .connectionBytes: style.yellow("connection bytes only")
            case .nothing: style.red("nothing")
            case nil: style.yellow("unknown")
            }
        text += "  What will be metered: \(answer)\n" + entry("", program.reason + ".", column: 2)
        if let libcurl = program.libcurl { text += entry("", "Its libcurl is '\(libcurl)'.", column: 2) }
        if let advice = program.advice { text += entry("", advice, column: 2) }
        return text
    }
}
