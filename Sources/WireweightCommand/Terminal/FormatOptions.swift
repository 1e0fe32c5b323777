import ArgumentParser

/// The formats of one command, as values of `--format`.
protocol OutputFormat: ExpressibleByArgument, CaseIterable, RawRepresentable, Sendable where RawValue == String {
    /// The format for people, if none is named.
    static var usual: Self { get }
    /// The format that `--json` stands for.
    static var json: Self { get }
}

/// The options for the format of what a command prints: `--format`, and `--json` as a short form.
struct FormatOptions<Format: OutputFormat>: ParsableArguments {
    @Option(name: .customLong("format"), help: "How to print it; \(Format.usual.rawValue) if left out.")
    var named: Format?

    @Flag(name: .customLong("json"), help: "The same as '--format json'.")
    var wantsJSON = false

    func validate() throws {
        guard let named, wantsJSON, named.rawValue != Format.json.rawValue else { return }
        throw ValidationError("'--json' and '--format \(named.rawValue)' contradict each other; leave one out")
    }

    /// The format that was chosen.
    var format: Format { named ?? (wantsJSON ? .json : .usual) }
}

/// The formats of commands that print a text or one JSON object.
enum TextOrJSON: String, OutputFormat {
    case text, json
    static let usual = text
}
