import HTTPWire
import TestSupport

/// What passes on a connection, and what the scanner makes of it.
///
/// Lines that begin with `>` are the client's bytes and those with `<` the server's; `>|` and `<|` close a direction.
struct HTTP1Play {
    /// How the bytes of a line are handed over.
    enum Split: Hashable, CaseIterable, Sendable {
        case whole, single, threes, random
    }

    private(set) var scanner = HTTP1Scanner()
    /// What was said of the client's bytes: kinds with their counts, statuses, `.` for the end of a message.
    var requests: String { transcripts[0].text }
    /// The same of the server's bytes.
    var responses: String { transcripts[1].text }

    private var transcripts = [HTTP1Transcript(), HTTP1Transcript()]
    private(set) var given = [0, 0]

    /// All bytes that were called anything, or are held back.
    var accounted: [Int] {
        [transcripts[0].count + scanner.held(ofResponse: false), transcripts[1].count + scanner.held(ofResponse: true)]
    }

    init(_ lines: [String], split: Split = .whole, seed: UInt64 = 1) {
        var random = SeededGenerator(seed: seed)
        for line in lines {
            let isResponse = line.hasPrefix("<")
            if line.dropFirst() == "|" {
                transcripts[isResponse ? 1 : 0].add(scanner.end(ofResponse: isResponse).map { [$0] } ?? [])
                continue
            }
            // Scalars up to U+00FF are bytes.
            let bytes = line.unicodeScalars.dropFirst().map { UInt8($0.value) }
            given[isResponse ? 1 : 0] += bytes.count
            for piece in Self.pieces(of: bytes, split, &random) {
                transcripts[isResponse ? 1 : 0].add(scanner.add(piece, ofResponse: isResponse))
            }
        }
    }

    private static func pieces(of bytes: [UInt8], _ split: Split, _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count =
                switch split {
                case .whole: rest.count
                case .single: 1
                case .threes: 3
                case .random: Int.random(in: 1...17, using: &random)
                }
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

/// What was said of one direction, without how it was split.
struct HTTP1Transcript {
    private var words: [String] = []
    private var kind: HTTP1Piece.Kind?
    private var run = 0
    /// What a header section has interrupted that may turn out to be none.
    private var interrupted: (kind: HTTP1Piece.Kind, run: Int)?
    private(set) var count = 0

    var text: String { (words + current).joined(separator: " ") }

    private var current: [String] { kind.map { ["\($0):\(run)"] } ?? [] }

    mutating func add(_ pieces: [HTTP1Piece]) {
        for piece in pieces {
            if piece.undone > 0 {
                run -= piece.undone
                if run == 0 { (kind, run) = takeInterrupted() }
            }
            if piece.begins {
                interrupted = kind.map { ($0, run) }
                close()
            }
            let bytes = piece.count + piece.undone
            if bytes > 0 {
                if kind != piece.kind { close() }
                kind = piece.kind
                run += bytes
                count += piece.count
            }
            if piece.endsHead {
                close()
                if piece.status > 0 { words.append("\(piece.status)") }
            }
            if piece.ends { say(".") }
            if piece.isCut { say("cut") }
        }
    }

    private mutating func takeInterrupted() -> (HTTP1Piece.Kind?, Int) {
        guard let interrupted else { return (nil, 0) }
        words.removeLast()
        self.interrupted = nil
        return interrupted
    }

    private mutating func say(_ word: String) {
        close()
        words.append(word)
    }

    private mutating func close() {
        words += current
        kind = nil
        run = 0
    }
}
