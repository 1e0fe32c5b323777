import CurlObserver
import MachineExamination
import TextFormats
import TrafficModel

/// The programs and connections of a run that were not metered, and why.
struct UnmeteredTraffic {
    /// Why something was not metered, and what the user can do about it.
    struct Note: Equatable {
        var sentence: String
        var advice: String
    }

    let programs: [(program: UnmeteredProgram, starts: Int)]
    let otherStarts: Int
    let connections: [(key: UnseenTally.Key, sum: UnseenTally.Sum)]

    init(_ programs: UnmeteredTally, _ connections: UnseenTally) {
        self.programs = programs.starts.map { ($0.key, $0.value) }.sorted {
            ($1.starts, $0.program.path) < ($0.starts, $1.program.path)
        }
        otherStarts = programs.others
        self.connections = connections.sums.map { ($0.key, $0.value) }.sorted {
            ($1.sum.bytes.total, $0.key.host, $0.key.direction.rawValue)
                < ($0.sum.bytes.total, $1.key.host, $1.key.direction.rawValue)
        }
    }

    /// The largest number of programs, and that of connections, named in the text.
    private static let mostNamed = 5

    /// Notes for the summary, those of programs first.
    ///
    /// - Parameter isComplete: whether also connections that carried nothing are worth a note.
    /// - Returns: the notes, those with the most starts or bytes first.
    func notes(isComplete: Bool) -> [Note] {
        var notes = programs.prefix(Self.mostNamed).map { program, starts in
            let name = program.path.split(separator: "/").last.map(String.init) ?? program.path
            return Note(Program.Obstacle(program.reason), of: name, starts: starts)
        }
        let more = programs.dropFirst(Self.mostNamed)
        if !more.isEmpty {
            let starts = more.reduce(otherStarts) { $0 + $1.starts }
            notes.append(
                Note(
                    sentence: "\(Self.count(more.count, "other program")) (\(Self.count(starts, "start"))) cannot be "
                        + "metered; '--json' lists them",
                    advice: ""))
        }
        let shown = connections.filter { isComplete || $0.key.reason != .nothingSent }
        notes += shown.prefix(Self.mostNamed).map { key, sum in
            Note(
                sentence: "the messages of \(Self.count(sum.connections, "connection")) "
                    + (key.direction == .served ? "that the program served as " : "to ")
                    + "\(key.host.isEmpty ? "other hosts" : key.host) (\(Units.bytes(sum.bytes.up)) up, "
                    + "\(Units.bytes(sum.bytes.down)) down) were not seen: \(key.reason.sentence)",
                advice: Remedy.of(key.reason))
        }
        let rest = shown.dropFirst(Self.mostNamed).reduce(0) { $0 + $1.sum.connections }
        if rest > 0 {
            notes.append(
                Note(
                    sentence: "the messages of \(Self.count(rest, "other connection")) were not seen; '--json' lists "
                        + "them",
                    advice: ""))
        }
        return notes
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(Units.count(Int64(number))) \(noun)\(number == 1 ? "" : "s")"
    }

    var json: [JSONValue.Member] {
        [
            .init(
                "unmeteredPrograms",
                .array(
                    programs.map { program, starts in
                        .object([
                            .init("path", .string(program.path)), .init("reason", .string(program.reason.rawValue)),
                            .init("starts", .integer(Int64(starts))),
                            .init("explanation", .string(Program.Obstacle(program.reason).explanation)),
                            .init("advice", .string(Program.Obstacle(program.reason).advice)),
                        ])
                    })),
            .init(
                "unseenConnections",
                .array(
                    connections.map { key, sum in
                        .object([
                            .init("host", .string(key.host)), .init("direction", .string(key.direction.rawValue)),
                            .init("reason", .string(key.reason.rawValue)),
                            .init("connections", .integer(Int64(sum.connections))),
                            .init("up", .integer(sum.bytes.up.bytes)), .init("down", .integer(sum.bytes.down.bytes)),
                            .init("explanation", .string(key.reason.sentence)),
                            .init("advice", .string(Remedy.of(key.reason))),
                        ])
                    })),
        ]
    }
}

extension UnmeteredTraffic.Note {
    /// A note on a program that cannot be metered.
    init(_ obstacle: Program.Obstacle, of name: String, starts: Int) {
        let times = starts > 1 ? " (\(UnmeteredTraffic.count(starts, "start")))" : ""
        sentence = "'\(name)'\(times) cannot be metered: \(obstacle.explanation)"
        advice = obstacle.advice
    }
}
