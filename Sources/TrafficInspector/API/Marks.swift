internal import Foundation
internal import Locks
internal import TextFormats
internal import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The marks and notes that readers put on exchanges.
///
/// The store stays as it was metered. They are in a file beside it, so that they outlive the inspector, whose port, and
/// with it what a browser remembers, changes with each start. Without a file they last as long as the inspector.
final class Marks: Sendable {
    /// The mark on one exchange.
    struct Mark: Codable, Hashable, Sendable {
        let exchange: Int64
        /// When the exchange began, in microseconds since 1970.
        ///
        /// Another store of the same name has exchanges of the same number; their marks are not shown.
        let startedAt: Int64
        var note: String
    }

    private struct Kept: Codable {
        var marks: [Mark]
    }

    /// What a page changes.
    struct Change: Decodable {
        let exchanges: [Int64]
        let marked: Bool
        /// The text to keep with the marks; nil for the one that is there.
        let note: String?

        init(_ bytes: [UInt8]) throws(Refusal) {
            guard let change = try? JSONDecoder().decode(Self.self, from: Data(bytes)), !change.exchanges.isEmpty,
                change.exchanges.count <= Marks.limit, (change.note?.count ?? 0) <= Marks.noteLimit
            else { throw .wrong(.marks) }
            self = change
        }
    }

    /// The most marks.
    static let limit = 1_000
    /// The most characters of a note.
    static let noteLimit = 2_000

    private struct State {
        var marks: [Mark] = []
        var revision: Int64 = 0
    }

    private let reading: any TrafficBrowsing
    private let path: String?
    private let state = Mutex(State())

    /// The marks of a store.
    ///
    /// - Parameters:
    ///   - reading: the store.
    ///   - file: the path of the store's file; nil to keep the marks in memory.
    init(_ reading: any TrafficBrowsing, file: String?) {
        self.reading = reading
        path = file.map { $0 + ".marks.json" }
        if let path, access(path, F_OK) == 0 { state.withLock { $0.revision = 1 } }
    }

    /// A number that changes with the marks; 0 while there has been none.
    var revision: Int64 { state.withLock(\.revision) }

    /// The filter's term that selects what is marked.
    var term: FilterTerm {
        get throws {
            let numbers = try state.withLock { state in try known(&state).map { FilterValue.number($0.exchange) } }
            return FilterTerm(.exchange, numbers)
        }
    }

    /// All marks, in the order of their exchanges.
    var json: JSONValue {
        get throws { try state.withLock { state in Self.json(try known(&state), path) } }
    }

    /// Sets or removes marks.
    func change(_ change: Change) throws -> JSONValue {
        try state.withLock { state in
            let numbers = Set(change.exchanges)
            let before = try known(&state)
            var marks = before.filter { !numbers.contains($0.exchange) }
            if change.marked {
                let notes = Dictionary(uniqueKeysWithValues: before.map { ($0.exchange, $0.note) })
                for exchange in try reading.heads(of: numbers.map(StoredExchange.ID.init)) {
                    let number = exchange.id.rawValue
                    marks.append(
                        Mark(
                            exchange: number, startedAt: Self.moment(exchange),
                            note: change.note ?? notes[number] ?? ""))
                }
                guard marks.count <= Self.limit else {
                    throw Refusal.wrong(.marksFull, ["most": "\(Self.limit)"])
                }
                marks.sort { $0.exchange < $1.exchange }
            }
            try keep(marks)
            state.marks = marks
            state.revision += 1
            return Self.json(marks, path)
        }
    }

    // The marks on exchanges that are in the store.
    private func known(_ state: inout State) throws -> [Mark] {
        if let path {
            let kept = FileManager.default.contents(atPath: path)
                .flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
            state.marks = Array((kept?.marks ?? []).prefix(Self.limit))
        }
        let began = Dictionary(
            try reading.heads(of: state.marks.map { StoredExchange.ID($0.exchange) })
                .map { ($0.id.rawValue, Self.moment($0)) }, uniquingKeysWith: { first, _ in first })
        return state.marks.filter { began[$0.exchange] == $0.startedAt }
    }

    private func keep(_ marks: [Mark]) throws {
        guard let path else { return }
        func refusal(_ failure: FileFailure) -> Refusal {
            Refusal(
                status: 409, code: "marks", phrase: .marksNotKept, values: ["file": path, "reason": "\(failure)"])
        }
        guard !marks.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw refusal(FileFailure(errno)) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let bytes = [UInt8](try encoder.encode(Kept(marks: marks)))
        let draft = "\(path).\(getpid()).tmp"
        do throws(FileFailure) {
            // Notes may quote what is private, as the store does, which only its owner can read.
            try OwnedFile(path: draft).put(bytes, .empty)
            guard rename(draft, path) == 0 else { throw FileFailure(errno) }
        } catch {
            unlink(draft)
            throw refusal(error)
        }
    }

    private static func moment(_ exchange: StoredExchange) -> Int64 { exchange.request.startedAt.nanoseconds / 1_000 }

    private static func json(_ marks: [Mark], _ path: String?) -> JSONValue {
        .object([
            .init(
                "marks",
                .array(
                    marks.map {
                        .object([.init("exchange", .integer($0.exchange)), .init("note", .string($0.note))])
                    })), .init("file", .text(path)),
        ])
    }
}
