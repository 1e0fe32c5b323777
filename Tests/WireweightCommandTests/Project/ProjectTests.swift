import Foundation
import Testing
import WireweightTesting

@testable import WireweightCommand

/// The settings that a project keeps in `.wireweight.toml`.
@Suite("The project's file")
struct ProjectTests {
    private static let text = """
        # Settings of all who work on this project.
        templates = ["/shops/{shop}", '/raw/{rest...}',]   # two
        secrets = [
            "x-tenant", # a comment
            "sig\\"n",
        ]
        hosts = ["api.example.com"]
        columns = ["up", "down"]
        ports = "fixed"

        """

    @Test("has texts, arrays over several lines, and comments, as in TOML")
    func reading() throws {
        let file = try ProjectFile(path: "p", text: Self.text)
        #expect(file.templates == ["/shops/{shop}", "/raw/{rest...}"])
        #expect(file.secrets == ["x-tenant", "sig\"n"])
        #expect(file.hosts == ["api.example.com"])
        #expect(file.columns == ["up", "down"])
        #expect("\(file.ports as Any)".contains("fixed"))
        #expect(try ProjectFile(path: "p", text: "") == ProjectFile(path: "p", text: "# nothing"))
    }

    @Test(
        "a fault names its line and the remedy",
        arguments: [
            ("\n\ntemplate = []", "line 3: there is no key 'template'; did you mean 'templates'?"),
            ("xyz = 'a'", "line 1: there is no key 'xyz'; there are: templates, secrets, hosts, columns, ports"),
            ("hosts = [\n'a'\n'b']", "line 3: a ',' or ']' belongs after a value of an array"),
            ("hosts = ['a',", "line 1: the array has no ']'"), ("hosts ['a']", "line 1: a '=' belongs after 'hosts'"),
            ("hosts = 'a' 'b'", "line 1: the line goes on after the value of 'hosts'; begin a new line"),
            ("hosts = [\"a]\n\"]", "line 1: the text has no quotation mark at its end"),
            ("hosts = [1]", "line 1: a text in quotation marks belongs here, such as \"api.example.com\""),
            ("[run]", "line 1: tables such as '[name]' are not read here; write the keys without one"),
            ("hosts = []\nhosts = []", "line 2: 'hosts' is given twice; join the two"),
            ("ports = 'all'", "line 1: 'ports' is one of \"fixed\", \"each\", \"any\""),
        ])
    func faults(text: String, reason: String) {
        let error = #expect(throws: ReadingFailure.self) { try ProjectFile(path: "p", text: text) }
        #expect(error?.description == "'p', \(reason)")
    }

    @Test("is found in the folder or above it, up to the repository's root and not beyond")
    func place() throws {
        try withFolder { folder in
            let inner = folder.appendingPathComponent("repository/a/b")
            let repository = folder.appendingPathComponent("repository")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            func put(_ place: URL) throws { try Data().write(to: place.appendingPathComponent(ProjectFile.name)) }
            try put(folder)
            #expect(ProjectFile.find(from: inner.path) == nil)
            try FileManager.default.createDirectory(
                at: repository.appendingPathComponent(".git"), withIntermediateDirectories: true)
            #expect(ProjectFile.find(from: inner.path) == nil)
            #expect(ProjectFile.find(from: folder.path)?.hasSuffix("/\(ProjectFile.name)") == true)
            try put(repository)
            #expect(ProjectFile.find(from: inner.path)?.hasSuffix("/repository/\(ProjectFile.name)") == true)
            try put(inner)
            #expect(ProjectFile.find(from: inner.path)?.hasSuffix("/a/b/\(ProjectFile.name)") == true)
        }
    }

    @Test(
        "run and report use it, say so, and leave it out on request",
        .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
    func use() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let path = folder.appendingPathComponent(ProjectFile.name).path
            let text = """
                templates = ["/things/{thing}/{part}"]
                secrets = ["x-tenant"]
                columns = ["up"]
                """
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            func run(_ words: String) throws -> Ended {
                try launch(
                    ["sh", "-c", "cd '\(folder.path)' && '\(Built.command)' \(words)"], environment: ["TZ": "UTC"])
            }
            let metered = try run(
                "run --db t.db -- curl -qsS -o /dev/null -H 'X-Tenant: visible' \(origin.address)/things/lamp/cable")
            #expect(metered.status == 0)
            #expect(metered.errorText.contains("/things/{thing}/{part}"))
            #expect(metered.errorText.contains("\nSettings: ") && metered.errorText.contains("/\(ProjectFile.name)\n"))
            #expect(try !run("show t.db 1").outputText.contains("visible"))
            let report = try run("report t.db")
            #expect(report.outputText.split(separator: "\n")[0].hasSuffix(" Up"))
            #expect(report.errorText.hasPrefix("settings: "))
            let without = try run("report t.db --no-project")
            #expect(without.outputText.contains("Down") && without.errorText.isEmpty)
            #expect(try run("report t.db --columns down").outputText.split(separator: "\n")[0].hasSuffix(" Down"))

            // Only tables and Markdown have columns.
            try "\ncolumns = ['colour']\n".write(toFile: path, atomically: false, encoding: .utf8)
            let wrong = try run("report t.db")
            #expect(wrong.status == 65)
            #expect(
                wrong.errorText.hasSuffix(
                    "line 2: there is no column 'colour'; 'wireweight report --columns x' lists them\n"))
            for words in ["--json", "--format csv", "--columns up", "--show latency"] {
                let right = try run("report t.db \(words)")
                #expect(right.status == 0 && right.errorText.isEmpty, "\(words): \(right)")
            }

            try "hosts = [\"other.example\"]\n".write(toFile: path, atomically: false, encoding: .utf8)
            let words = "run --json --no-keep -- curl -qsS -o /dev/null \(origin.address)/x"
            let none = try run(words).errorText
            #expect(none.contains("\"exchanges\": 0"))
            #expect(none.contains("no request went to a host that is to be metered"))
            #expect(try run("run --no-project" + words.dropFirst(3)).errorText.contains("\"exchanges\": 1"))

            try "hosts = [\n  3\n]\n".write(toFile: path, atomically: false, encoding: .utf8)
            for command in ["run -- true", "report t.db"] {
                let broken = try run(command)
                #expect(broken.status == 65)
                #expect(
                    broken.errorText.contains("\(ProjectFile.name)', line 2: a text in quotation marks belongs here"))
            }
            #expect(
                try launch(
                    ["sh", "-c", "cd '\(folder.path)' && '\(Built.command)' run --no-keep -- true"],
                    environment: ["WIREWEIGHT_NO_PROJECT": "1"]
                ).status == 0)
        }
    }
}
