import ArgumentParser
import TrafficInspector
import TrafficModel

/// `wireweight inspect`: serves a page that shows a store in a browser.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the traffic of a file in a browser.",
        discussion: """
            Serves a page on this machine until Ctrl-C. A file that is being written is shown live. With '--address', \
            other machines can open the page, but only with the token that is part of the printed address.

            Example: wireweight inspect traffic.db

            More: docs/using.md
            """)

    @OptionGroup var store: StoreArgument

    @OptionGroup var place: InspectorPlace

    @Option(
        help: ArgumentHelp(
            "An earlier run to compare with; may be repeated. Kept runs can be chosen on the page.", valueName: "file"),
        completion: .file())
    var compare: [String] = []

    func run() throws {
        let file = try store.path()
        try withReader(file, searchesOften: true) { reader in
            for path in compare {
                guard mayHaveTraffic(path) else {
                    throw ReadingFailure("there is no file '\(path)'; check the name after '--compare'")
                }
                // A file that is no store should end the command, and not only show on the page.
                _ = try openReader(path)
            }
            var options = place.options(for: file)
            let files = InspectedFiles(beside: file, named: compare, isOwn: options.isLoopback)
            defer { files.remove() }
            options.files = files
            let interrupt = Interrupt()
            let inspector = try InspectorHost(reader, control: nil, options: options)
            inspector.announce()
            interrupt.wait()
            inspector.stop()
        }
    }
}
