import Foundation
import TextFormats
import TrafficReports
import URLTemplates

/// The settings that a project keeps in a file named `.wireweight.toml`.
struct ProjectFile: Equatable {
    static let name = ".wireweight.toml"
    /// The most bytes that are read.
    private static let limit = 1 << 20

    let path: String
    private(set) var templates: [String] = []
    private(set) var secrets: [String] = []
    private(set) var hosts: [String] = []
    private(set) var columns: [String]?
    private var columnsLine = 0
    private(set) var ports: PortRule?

    private static let keys = ["templates", "secrets", "hosts", "columns", "ports"]

    /// Reads the file at a path.
    ///
    /// - Throws: ``ReadingFailure``, which names the file, the line and the reason.
    init(path: String) throws {
        let text: String
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: Self.limit + 1) ?? Data()
            guard bytes.count <= Self.limit else { throw ReadingFailure("'\(path)' is too large for a project file") }
            text = String(decoding: bytes, as: UTF8.self)
        } catch let failure as ReadingFailure {
            throw failure
        } catch {
            throw ReadingFailure(
                "cannot read '\(path)': \(error.localizedDescription); '--no-project' leaves it out")
        }
        try self.init(path: path, text: text)
    }

    /// Reads the text of such a file.
    init(path: String, text: String) throws {
        self.path = path
        do throws(ProjectSyntax.Fault) {
            for entry in try ProjectSyntax.entries(of: text) { try take(entry) }
        } catch {
            throw ReadingFailure("'\(path)', line \(error.line): \(error.reason)")
        }
    }

    /// The columns of a table; other formats have none, so a wrong name is no fault for them.
    ///
    /// - Throws: ``ReadingFailure``, which names the file, the line and the reason.
    func tableColumns() throws -> [String]? {
        for name in columns ?? [] where !ReportView.columnNames.contains(name) {
            throw ReadingFailure(
                "'\(path)', line \(columnsLine): there is no column '\(name)'; 'wireweight report --columns x' lists them"
            )
        }
        return columns
    }

    private mutating func take(_ entry: ProjectSyntax.Entry) throws(ProjectSyntax.Fault) {
        func fault(_ reason: String) -> ProjectSyntax.Fault { .init(line: entry.line, reason: reason) }
        guard Self.keys.contains(entry.key) else {
            let near = Misspelling.nearest(to: entry.key, among: Self.keys)
            throw fault(
                "there is no key '\(entry.key)'; "
                    + (near.map { "did you mean '\($0)'?" } ?? "there are: \(Self.keys.joined(separator: ", "))"))
        }
        switch entry.key {
        case "templates":
            for template in entry.values {
                do throws(TemplatePattern.Invalid) {
                    _ = try TemplatePattern(template)
                } catch {
                    throw fault("the template '\(template)' is not valid: \(error.message)")
                }
            }
            templates = entry.values
        case "secrets": secrets = entry.values
        case "hosts": hosts = entry.values
        case "columns":
            columns = entry.values
            columnsLine = entry.line
        default:
            guard entry.values.count == 1, let rule = PortRule(rawValue: entry.values[0]) else {
                let choices = PortRule.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw fault("'ports' is one of \(choices)")
            }
            ports = rule
        }
    }

    /// The path of the file for a folder: in it, or in a folder above it up to the root of the repository.
    static func find(from folder: String = FileManager.default.currentDirectoryPath) -> String? {
        var candidate: String?
        var place = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        let own = place.appendingPathComponent(name).path
        while true {
            let path = place.appendingPathComponent(name).path
            if candidate == nil, Files.exists(path) { candidate = path }
            // Outside of a repository only the folder itself counts: what lies above it may be another's.
            if Files.exists(place.appendingPathComponent(".git").path) { return candidate }
            guard place.path != "/", !place.path.isEmpty else { return candidate == own ? own : nil }
            place.deleteLastPathComponent()
        }
    }
}
