import ArgumentParser
import MachineExamination
import TrafficPipeline
import TrafficStore
import URLTemplates

/// `wireweight run`: meters a program that was not built for it.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Meter an unmodified program and all its children.",
        discussion: """
            Meters what goes through libcurl: curl, git over HTTP, PHP, pycurl, Swift programs on URLSession. Also \
            meters HTTP of programs that use the C library's sockets and, for HTTPS, OpenSSL, GnuTLS or NSS: Python, \
            Node, Perl, Ruby, PHP, wget; what servers such as nginx serve, too. HTTPS needs no certificate, because \
            Wireweight counts inside the program, above TLS. The summary names the programs and hosts that were not \
            metered, such as static programs and those of Go, why, and what helps; 'wireweight doctor -- PROGRAM' says \
            so before you run it. The program's input, output, signals and exit status stay as they are; the summary goes to \
            standard error when it ends.

            Example: wireweight run --db traffic.db -- curl -s https://example.com
            Example: wireweight run --live -- ./integration-tests
            In CI: wireweight run --require-traffic --db new.db -- ./integration-tests

            More: docs/using.md
            """)

    @Option(
        help: ArgumentHelp("Keep the exchanges in this file; it is created if it does not exist.", valueName: "file"),
        completion: .file())
    var db: String?

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    @Option(
        help: ArgumentHelp("Write the summary to this file instead of standard error.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Keep this many bytes of each body in the file, at most \(mostKept).",
            discussion:
                "If a body arrives faster than it can be copied, less of it is kept; its size is still exact.",
            valueName: "bytes"))
    var keepBodies = 0

    /// The most bytes of a body to keep, because a body stays in memory until its exchange ends.
    private static let mostKept = 100_000_000

    @Flag(
        help: ArgumentHelp(
            "Leave secrets in the kept bodies as they were sent.",
            discussion: "By default, asterisks cover them, and a compressed body that contains one is not kept."))
    var keepSecrets = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Compute a digest of each body.",
            discussion:
                "Without digests, large bodies cost the program less, but the audit does not see which are equal."))
    var digests = true

    @Flag(
        help: ArgumentHelp(
            "Show the traffic live in a browser.",
            discussion: "On a terminal, the page stays after the program has ended, until Ctrl-C."))
    var inspect = false

    @Option(help: ArgumentHelp("The page's port; 0 for any that is free.", valueName: "port"))
    var inspectPort: UInt16 = 0

    @Flag(
        help: ArgumentHelp(
            "End with status 1 if no request was metered.",
            discussion: "For CI, where an empty table goes unnoticed. If the program fails, its own status is kept."))
    var requireTraffic = false

    @Flag(
        help: ArgumentHelp(
            "Meter only what goes through libcurl.",
            discussion: "Then the program's own sockets and TLS sessions are not watched."))
    var onlyLibcurl = false

    @Flag(
        help: ArgumentHelp(
            "Also meter HTTPS of programs that write the keys of their TLS into a file, as browsers do.",
            discussion:
                "Sets SSLKEYLOGFILE to a private file, unless it is set. The keys are deleted as the run ends."))
    var tlsKeys = false

    @Option(
        help: ArgumentHelp(
            "A template of your own, such as '/shops/{shop}/items/{item}', for the paths that match it; may be given "
                + "several times.", valueName: "template"))
    var template: [String] = []

    @Option(
        help: ArgumentHelp(
            "The name of a header field or query item whose value is a secret, too; may be given several times.",
            valueName: "name"))
    var secret: [String] = []

    @Option(
        help: ArgumentHelp(
            "Meter only requests to this host, such as '*.example.com' or '127.0.0.1:8080'; may be given several times.",
            valueName: "host"))
    var host: [String] = []

    @OptionGroup var projectOptions: ProjectOptions

    @Flag(
        help: ArgumentHelp(
            "Show the APIs on the terminal while the program runs, the heaviest first.",
            discussion: "The lowest third of the terminal is reserved; what the program prints scrolls above it."))
    var live = false

    @Flag(inversion: .prefixedNo, help: "Show on the terminal what is metered while the program runs.")
    var progress = true

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Keep the exchanges as the last run, or remember the file of '--db' as that.",
            discussion: "The commands that read a file take the last run if none is named. Ten runs are kept."))
    var keep = true

    @Flag(
        help: ArgumentHelp(
            "Make the search index while the file is written.",
            discussion: "Otherwise it is made when a file of 100,000 exchanges or more is first searched."))
    var searchIndex = false

    @OptionGroup var style: StyleOptions

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
    var command: [String] = []

    private var words: [String] { ProgramWords.of(command) }

    func validate() throws {
        try ProgramWords.check(command, for: self)
        if words.isEmpty { throw ValidationError("there is no program to run; give one after '--'") }
        guard (0...Self.mostKept).contains(keepBodies) else {
            throw ValidationError("'--keep-bodies' must be between 0 and \(Self.mostKept)")
        }
        if keepBodies > 0 && db == nil && !keep {
            throw ValidationError("'--keep-bodies' needs a file to keep them in: add '--db', or leave '--no-keep' out")
        }
        if keepSecrets && keepBodies == 0 {
            throw ValidationError("'--keep-secrets' works only with '--keep-bodies'; add it")
        }
        if tlsKeys && onlyLibcurl {
            throw ValidationError("'--tls-keys' is for what '--only-libcurl' leaves out; give one of them")
        }
        _ = try templates(of: nil)
    }

    /// The templates of the options, which come first, and those of the project.
    private func templates(of project: ProjectFile?) throws -> [TemplatePattern] {
        do {
            return try (template + (project?.templates ?? [])).map { try TemplatePattern($0) }
        } catch let error as TemplatePattern.Invalid {
            throw ValidationError("'--template': \(error.message)")
        }
    }

    func run() throws {
        let project = try projectOptions.file()
        let templates = try templates(of: project)
        let hosts = host.isEmpty ? project?.hosts ?? [] : host
        let rules = TrafficPipeline.Rules(
            hosts: HostFilter(include: hosts),
            templates: URLTemplate(given: templates),
            redactor: Redactor(
                names: SecretNames(extra: secret + (project?.secrets ?? [])), keepsBodySecrets: keepSecrets))
        let kept = keep && db == nil ? KeptRuns()?.begin() : nil
        if keepBodies > 0, db == nil, kept == nil {
            throw ValidationError(
                "'--keep-bodies' needs a file to keep them in, and no run can be kept here: add '--db'")
        }
        let program: Program
        let session: RunSession
        let summary: SummaryOutput
        do throws(RunFailure) {
            program = try Program(words)
            summary = try SummaryOutput(path: output, storePath: db)
            session = try RunSession(
                storePath: db ?? kept, isNamed: db != nil, keepBodies: keepBodies, digests: digests,
                onlyLibcurl: onlyLibcurl, tlsKeys: tlsKeys, rules: rules, choosesHosts: !hosts.isEmpty,
                projectPath: project?.path, keepsSearchIndex: searchIndex)
            if let db, keep { KeptRuns()?.remember(db) }
            if inspect { try session.inspect(port: inspectPort) }
        } catch {
            Terminal.complain(error.message)
            throw ExitCode(error.status)
        }
        let ending: ProgramEnding
        do throws(RunFailure) {
            ending = try session.run(program, status: LiveStatus(isWanted: progress, hasTable: live))
        } catch {
            session.close()
            Terminal.complain(error.message)
            throw ExitCode(error.status)
        }
        session.finish()
        let result = session.summary(of: program)
        let failure = summary.write(result, json: printing.format == .json)
        session.holdPage()
        session.close()
        if let failure {
            Terminal.complain(failure.message)
            // A program that failed ends with its own status.
            if ending.isSuccess { throw ExitCode(failure.status) }
        }
        if requireTraffic, result.unmetered != nil, ending.isSuccess {
            Terminal.complain(
                "'--require-traffic': no request was metered; 'wireweight doctor -- \(words[0])' says what can be")
            throw ExitCode(1)
        }
        if ending.isByFilter {
            Terminal.complain(
                "SIGSYS ended the program: a filter (seccomp) forbids a system call, perhaps one of the tap's; docs/limits.md "
                    + "names these, and '--only-libcurl' makes none where there is no libcurl")
        }
        ending.endLikeChild()
    }
}
