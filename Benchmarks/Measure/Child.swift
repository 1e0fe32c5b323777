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

    /// Starts it with those arguments.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = input
        try process.run()
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

    /// Runs one to its end; its last line of numbers.
    static func run(_ arguments: [String]) throws -> [Int64] {
        let child = try Child(arguments)
        defer { child.wait() }
        return try child.numbers()
    }
}
