#if os(Linux)
    import CStreamPlay
    import CurlObserver
    import Glibc
    import TrafficModel
    import WireweightTesting

    /// Bytes of a connection, seen by the stream tap, and what the reader makes of its frames.
    struct StreamPlay {
        struct Step {
            var isDown: Bool
            var bytes: [UInt8]

            static func up(_ bytes: [UInt8]) -> Step { Step(isDown: false, bytes: bytes) }
            static func down(_ bytes: [UInt8]) -> Step { Step(isDown: true, bytes: bytes) }
        }

        enum Split: CaseIterable { case whole, bytes, random }

        enum End { case closed, ended, failed, abandoned }

        let sink: RecordingSink
        /// Whether the tap gave the connection up.
        let isLost: Bool

        /// Plays steps.
        ///
        /// At those of `refused` the output takes nothing, and the frames of those of `dropped` are lost on their way.
        /// `queued`: how many bytes wait in the kernel from a step on; after the last step, as the connection ends.
        init(
            _ steps: [Step], split: Split = .whole, seed: UInt64 = 1, isSecure: Bool = true, isServer: Bool = false,
            end: End = .closed,
            refused: Range<Int> = 0..<0, dropped: Range<Int> = 0..<0, queued: [Int: UInt64] = [:]
        ) throws {
            let play = csp_begin(isSecure, isServer)
            defer { csp_free(play) }
            var random = Steps(state: seed)
            for (index, step) in steps.enumerated() {
                csp_refuse(play, refused.contains(index))
                csp_drop(play, dropped.contains(index))
                if let count = queued[index] { csp_queue(play, count) }
                var rest = step.bytes[...]
                repeat {
                    let count =
                        switch split {
                        case .whole: rest.count
                        case .bytes: min(1, rest.count)
                        case .random: min(rest.count, 1 + Int(random.next() % 23))
                        }
                    Array(rest.prefix(count)).withUnsafeBufferPointer {
                        csp_pass(play, step.isDown, $0.baseAddress, $0.count)
                    }
                    rest = rest.dropFirst(count)
                } while !rest.isEmpty
            }
            csp_refuse(play, false)
            csp_drop(play, false)
            if let count = queued[steps.count] { csp_queue(play, count) }
            if end == .abandoned {
                csp_abandon(play)
            } else {
                csp_close(play, end == .ended, end == .failed ? EPIPE : 0)
            }
            isLost = csp_is_lost(play)
            var count = 0
            let frames = csp_frames(play, &count)
            let hearing = Hearing()
            try hearing.take(Array(UnsafeBufferPointer(start: frames, count: count)))
            hearing.reader.finish(at: 1 << 40)
            sink = hearing.sink
        }

        /// A generator that gives the same numbers each time.
        struct Steps {
            var state: UInt64

            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state >> 33
            }
        }

        /// All that does not depend on clocks, by exchange, and the connections' ledgers.
        var text: [String] {
            Self.exchanges(of: sink)
                + sink.connections.map { "\($0.applicationProtocol) \($0.ledger.map { "\($0)" } ?? "no ledger")" }
        }

        /// All that does not depend on clocks, by exchange.
        static func exchanges(of sink: RecordingSink) -> [String] {
            sink.requests.map { request in
                let response = sink.response(to: request.exchange)
                let end = sink.ends.first { $0.exchange == request.exchange }
                return """
                    \(request.method) \(request.url) \(request.httpVersion) \(text(request.fields)) \
                    \(text(request.size)) \(request.bodyDigest ?? 0) > \(response?.status ?? -1) \
                    \(response?.httpVersion ?? "-") \(response.map { text($0.fields) } ?? "") \
                    \(response.map { text($0.size) } ?? "-") \(response?.bodyDigest ?? 0) \
                    \(end.map { "\($0.outcome)" } ?? "-")
                    """
            }
        }

        private static func text(_ fields: FieldSection) -> String { String(decoding: fields.bytes, as: UTF8.self) }

        static func text(_ size: WireSize) -> String {
            [size.startLine, size.interim, size.fields, size.cookies, size.body, size.framing]
                .map { "\($0.bytes.bytes)\($0.evidence == .captured ? "" : "?")" }.joined(separator: "+")
        }
    }
#endif
