import HTTPWire

extension FuzzTarget {
    /// The scanner of HTTP/1 connections, in both directions: see ``FuzzedConnection``.
    static let http1 = FuzzTarget(
        name: "http1",
        seeds: { FuzzedConnection.seeds.map { FuzzedConnection.input(split: 7, $0) } },
        run: { input in
            let connection = FuzzedConnection(input)
            let whole = ScannerSums(connection, .whole)
            for split in [FuzzedConnection.Split.drawn, .single] {
                let sums = ScannerSums(connection, split)
                try mustHold(sums == whole, "in \(split): \(sums); in one: \(whole)")
            }
            try mustHold(
                whole.up.count == connection.count(isDown: false) && whole.down.count == connection.count(isDown: true),
                "\(whole) is not all of the bytes")
            try mustHold(whole.down.messages <= whole.up.begun, "more answers than requests: \(whole)")
        })
}

/// The results of scanning a connection.
private struct ScannerSums: Equatable {
    struct Side: Equatable {
        /// The bytes of each kind, in the order of their arrival.
        var runs: [Run] = []
        /// The number of header sections that have started.
        var begun = 0
        /// The number of messages that have ended.
        var messages = 0
        var cuts = 0
        var statuses: [Int] = []
        var held = 0

        var count: Int { runs.reduce(held) { $0 + $1.count } }

        mutating func add(_ piece: HTTP1Piece) {
            if piece.begins { begun += 1 }
            if piece.undone > 0, let last = runs.indices.last {
                runs[last].count -= piece.undone
                if runs[last].count == 0 { runs.removeLast() }
            }
            let bytes = piece.count + piece.undone
            if bytes > 0 {
                if runs.last?.kind == piece.kind {
                    runs[runs.count - 1].count += bytes
                } else {
                    runs.append(Run(kind: piece.kind, count: bytes))
                }
            }
            if piece.endsHead { statuses.append(piece.status) }
            if piece.ends { messages += 1 }
            if piece.isCut { cuts += 1 }
        }

        static func == (left: Side, right: Side) -> Bool {
            // `begun` is not compared, because how many starts turn out to be nothing depends on the split.
            (left.runs, left.statuses) == (right.runs, right.statuses)
                && (left.messages, left.cuts, left.held) == (right.messages, right.cuts, right.held)
        }
    }

    struct Run: Equatable {
        var kind: HTTP1Piece.Kind
        var count: Int
    }

    var up = Side()
    var down = Side()

    init(_ connection: FuzzedConnection, _ split: FuzzedConnection.Split) {
        var scanner = HTTP1Scanner()
        for step in connection.steps(split) {
            let pieces: [HTTP1Piece] =
                switch step.bytes {
                case .some(let bytes): scanner.add(bytes, ofResponse: step.isDown)
                case .none: scanner.end(ofResponse: step.isDown).map { [$0] } ?? []
                }
            for piece in pieces { if step.isDown { down.add(piece) } else { up.add(piece) } }
        }
        up.held = scanner.held(ofResponse: false)
        down.held = scanner.held(ofResponse: true)
    }
}
