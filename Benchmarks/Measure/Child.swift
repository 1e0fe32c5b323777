import Foundation

/// This program once more, in a process of its own, so that its memory and processor time are its own.
final class Child {
    /// It did not do what it should.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    /// This program.
    static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// Starts it with those arguments.
    ///
    /// - Parameters:
    ///   - arguments: of this program.
    ///   - prefix: the words of another program that runs it, such as `wireweight run --`.
    ///   - environment: variables beside those of this process.
    /// - Throws: when it cannot be started.
    init(_ arguments: [String], prefix: [String] = [], environment: [String: String] = [:]) throws {
        let words = prefix + [Self.own] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    /// Where a program is, by the shell's list of folders.
    static func path(of name: String) -> String? {
        if name.contains("/") { return name }
        let list = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let paths = (list.split(separator: ":") + ["/usr/sbin"]).map { "\($0)/\(name)" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Its next line of numbers.
    func numbers() throws -> [Int64] {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line.split(separator: " ").compactMap { Int64($0) }
            }
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                throw Failure(description: "'\(process.arguments ?? [])' ended without its figures")
            }
            rest += bytes
        }
    }

    /// Waits for its end; a process that reads its standard input takes this for the sign to end.
    func wait() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs one to its end; its first line of numbers.
    static func run(
        _ arguments: [String], prefix: [String] = [], environment: [String: String] = [:]
    ) throws -> [Int64] {
        let child = try Child(arguments, prefix: prefix, environment: environment)
        defer { child.wait() }
        return try child.numbers()
    }
}
