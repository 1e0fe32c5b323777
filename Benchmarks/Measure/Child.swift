import Foundation

/// Runs this program again in another process, to measure that process's memory and processor time.
final class Child {
    /// An error of the child process.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    /// The path of this program.
    static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - arguments: the arguments for this program.
    ///   - prefix: the command of another program that runs it, such as `wireweight run --`.
    ///   - environment: variables in addition to those of this process.
    /// - Throws: an error if the process cannot be started.
    init(_ arguments: [String], prefix: [String] = [], environment: [String: String] = [:]) throws {
        let words = prefix + [Self.own] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    /// The path of a program, found through `PATH`; nil if it is not installed.
    static func path(of name: String) -> String? {
        if name.contains("/") { return name }
        let list = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let paths = (list.split(separator: ":") + ["/usr/sbin"]).map { "\($0)/\(name)" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Reads the next line of numbers from the process.
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

    /// Closes the process's standard input, which is its signal to end, and waits for its end.
    func wait() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs a process to its end, and returns its first line of numbers.
    static func run(
        _ arguments: [String], prefix: [String] = [], environment: [String: String] = [:]
    ) throws -> [Int64] {
        let child = try Child(arguments, prefix: prefix, environment: environment)
        defer { child.wait() }
        return try child.numbers()
    }
}
