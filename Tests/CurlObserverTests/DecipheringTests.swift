#if os(Linux)
    import CCurlTap
    import CStreamPlay
    import CurlObserver
    import Foundation
    import Testing
    import TrafficModel
    import WireweightTesting

    /// TLS that no hook reaches, from what passes over the connection to records, by the keys in a file.
    @Suite struct DecipheringTests {
        /// The frames of the recorded session.
        private static func frames(
            split: Int = .max, isHooked: Bool = false, passes: Bool = true, refusesFrom: Int = .max
        ) -> [UInt8] {
            let play = csc_begin(false)
            defer { csc_free(play) }
            if passes { csc_pass_tls(play) }
            let session = isHooked ? csc_add_session(play, Array(RecordedTLS.pieces[0].bytes[11..<43])) : nil
            for (index, piece) in RecordedTLS.pieces.enumerated() {
                if index == refusesFrom { csc_refuse_tls(play) }
                var rest = piece.bytes[...]
                while !rest.isEmpty {
                    let part = Array(rest.prefix(split))
                    rest = rest.dropFirst(part.count)
                    csc_pass(play, piece.isDown, part, part.count)
                }
                if let session, index < 3 { csc_shake_hands(session, index == 2) }
            }
            var count = 0
            let first = csc_close(play, &count)
            return Array(UnsafeBufferPointer(start: first, count: count))
        }

        /// The frames one by one, as they come over the socket.
        private static func each(_ frames: [UInt8]) -> [[UInt8]] {
            var all: [[UInt8]] = []
            var rest = frames[...]
            while !rest.isEmpty {
                let size = rest.withUnsafeBytes { Int($0.loadUnaligned(as: wwt_frame.self).size) }
                all.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            return all
        }

        private static func kinds(_ frames: [UInt8]) -> [UInt32] {
            each(frames).map { $0.withUnsafeBytes { $0.loadUnaligned(as: wwt_frame.self).kind } }
        }

        /// A file of keys that is there for a test.
        private final class Keys {
            let path = "\(NSTemporaryDirectory())/keys-\(UUID().uuidString)"

            init(_ text: String) {
                FileManager.default.createFile(atPath: path, contents: Data("# of before\n".utf8))
                reader = DecipheringReader(keyLog: path)
                add(text)
            }

            func add(_ text: String) {
                guard let file = FileHandle(forWritingAtPath: path) else { return }
                file.seekToEndOfFile()
                file.write(Data(text.utf8))
                file.closeFile()
            }

            var reader: DecipheringReader?
            deinit { try? FileManager.default.removeItem(atPath: path) }
        }

        private static func rows(_ sink: RecordingSink) -> [String] {
            sink.requests.map { request in
                let response = sink.response(to: request.exchange)
                let end = sink.ends.first { $0.exchange == request.exchange }
                return """
                    \(request.method) \(request.url) \(StreamPlay.text(request.size)) > \(response?.status ?? -1) \
                    \(response.map { StreamPlay.text($0.size) } ?? "-") \(end.map { $0.outcome == .completed ? "completed" : $0.outcome == .incomplete ? "incomplete" : "other" } ?? "-")
                    """
            }
        }

        private static let whole = [
            "GET https://t:3128/a 17+0+24+13+0+0 > 200 17+0+21+0+5+0 completed",
            "POST https://t:3128/b 18+0+30+0+3+0 > 204 25+0+2+0+0+0 completed",
        ]

        private func hear(_ frames: [UInt8], _ keys: Keys, later: String = "") throws -> RecordingSink {
            let hearing = Hearing()
            let reader = try #require(keys.reader)
            for frame in Self.each(frames) { try frame.withUnsafeBytes { try reader.take($0, hearing.reader) } }
            if !later.isEmpty {
                keys.add(later)
                try reader.takeKeys(hearing.reader)
            }
            try reader.finish(hearing.reader)
            hearing.reader.finish(at: 1 << 40)
            return hearing.sink
        }

        private func expectWhole(_ sink: RecordingSink, _ comment: Comment) throws {
            #expect(Self.rows(sink) == Self.whole, comment)
            let connection = try #require(sink.connections.last, comment)
            #expect(Set(sink.connections.map(\.connection)).count == 1, comment)
            let ledger = try #require(connection.ledger, comment)
            #expect(ledger.isClosed, "\(comment): \(ledger)")
            for (side, isDown) in [(ledger.up, false), (ledger.down, true)] {
                let raw = RecordedTLS.pieces.filter { $0.isDown == isDown }.reduce(0) { $0 + $1.bytes.count }
                let inside = (isDown ? RecordedTLS.down : RecordedTLS.up).utf8.count
                #expect(side.payload == Int64(raw), comment)
                #expect(side.tls == Int64(raw - inside), comment)
            }
            #expect(connection.tls?.version == "TLSv1.3" && connection.tls?.cipher == "TLS_AES_128_GCM_SHA256", comment)
            #expect(connection.unseen == nil, comment)
        }

        @Test("the exchanges of a connection are rows, and its ledger closes, however its bytes come")
        func whole() throws {
            for split in [1, 100, Int.max] {
                try expectWhole(try hear(Self.frames(split: split), Keys(RecordedTLS.keyLog)), "\(split)")
            }
        }

        @Test("keys that are written after the connection's end are in time")
        func late() throws {
            try expectWhole(try hear(Self.frames(), Keys(""), later: RecordedTLS.keyLog), "late")
        }

        private func expectUnseen(_ sink: RecordingSink, _ comment: Comment) throws {
            #expect(Self.rows(sink) == [], comment)
            #expect(sink.connections.count == 1, comment)
            #expect(sink.connections.last?.unseen?.reason == .tls, comment)
        }

        @Test("without keys, or with others, it is unseen as before")
        func withoutKeys() throws {
            try expectUnseen(try hear(Self.frames(), Keys("")), "none")
            let others = RecordedTLS.keyLog.replacingOccurrences(of: "SECRET_0 ", with: "SECRET_0 00")
            try expectUnseen(try hear(Self.frames(), Keys(others)), "no line of a key log")
            let swapped = RecordedTLS.keyLog.replacingOccurrences(of: "CLIENT", with: "X")
                .replacingOccurrences(of: "SERVER", with: "CLIENT").replacingOccurrences(of: "X", with: "SERVER")
            try expectUnseen(try hear(Self.frames(), Keys(swapped)), "the wrong ones")
        }

        @Test(
            "bytes that are lost on the way end it: what runs then is incomplete, and nothing is made up",
            arguments: 3...7)
        func lost(from: Int) throws {
            let sink = try hear(Self.frames(refusesFrom: from), Keys(RecordedTLS.keyLog))
            let rows = Self.rows(sink)
            if from < 5 { return try expectUnseen(sink, "\(from)") }
            let isFirstWhole = from > 5
            #expect(rows.count == (from > 6 ? 2 : 1))
            #expect((rows.first == Self.whole[0]) == isFirstWhole)
            for row in rows.dropFirst(isFirstWhole ? 1 : 0) { #expect(row.hasSuffix("incomplete"), "\(row)") }
            // TLS is all that is no message.
            #expect(sink.connections.last?.ledger?.evidence == .reconstructed)
        }

        @Test("a connection whose session a hooked library has sends nothing of its TLS")
        func hooked() {
            for split in [1, 100, Int.max] {
                let tls = [WWT_TLS_BEGIN.rawValue, WWT_TLS_BYTES.rawValue, WWT_TLS_OVER.rawValue]
                #expect(!Self.kinds(Self.frames(split: split, isHooked: true)).contains(where: tls.contains))
                #expect(!Self.kinds(Self.frames(split: split, passes: false)).contains(where: tls.contains))
                #expect(Self.kinds(Self.frames(split: split)).contains(WWT_TLS_BEGIN.rawValue))
            }
        }
    }
#endif
