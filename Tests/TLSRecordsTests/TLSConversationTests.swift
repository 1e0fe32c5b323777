#if os(Linux)
    import TLSRecords
    import Testing

    @Suite struct TLSConversationTests {
        /// What was inside, and why it was given up.
        private struct Read: Equatable {
            var up: [UInt8] = []
            var down: [UInt8] = []
            var ends: [Bool] = []
            var failure: TLSConversation.Failure?
            var suite: UInt16?
        }

        private func read(
            _ pieces: [(isUp: Bool, bytes: [UInt8])], random: [UInt8], secrets: KeyLog.Secrets, size: Int = .max
        ) throws -> Read {
            let library = try #require(Libcrypto.system)
            let conversation = TLSConversation(random: random, secrets: secrets, library: library)
            var result = Read()
            for (isUp, bytes) in pieces {
                var rest = bytes[...]
                while !rest.isEmpty, result.failure == nil {
                    let piece = Array(rest.prefix(size))
                    rest = rest.dropFirst(piece.count)
                    do throws(TLSConversation.Failure) {
                        try piece.withUnsafeBufferPointer { bytes throws(TLSConversation.Failure) in
                            try conversation.add(bytes, isUp: isUp) { output in
                                switch output {
                                case .plaintext(let text): isUp ? (result.up += text) : (result.down += text)
                                case .end: result.ends.append(isUp)
                                }
                            }
                        }
                    } catch {
                        result.failure = error
                    }
                }
            }
            result.suite = conversation.suite
            return result
        }

        private static let traceSecrets: KeyLog.Secrets = {
            var secrets = KeyLog.Secrets()
            (secrets.client, secrets.server) = (Trace.client, Trace.server)
            return secrets
        }()

        @Test("RFC 8448, section 3: the data of both directions and their ends", arguments: [1, 3, 100, 100_000])
        func trace(size: Int) throws {
            let read = try read(Trace.all, random: Trace.random, secrets: Self.traceSecrets, size: size)
            #expect(
                read == Read(up: Trace.data, down: Trace.data, ends: [true, false], failure: nil, suite: 0x1301))
        }

        private static func play(_ session: RecordedSession) throws -> (
            [(isUp: Bool, bytes: [UInt8])], [UInt8], KeyLog.Secrets
        ) {
            var log = KeyLog()
            log.add(session.keyLog.utf8)
            let pieces = session.pieces.map { (isUp: $0.hasPrefix(">"), bytes: Trace.bytes(String($0.dropFirst()))) }
            let random = Array(try #require(pieces.first).bytes[11..<43])
            return (pieces, random, try #require(log[random]))
        }

        @Test(
            "sessions of OpenSSL in each cipher suite, with key updates and after a HelloRetryRequest",
            arguments: RecordedSession.all)
        func recorded(session: RecordedSession) throws {
            let (pieces, random, secrets) = try Self.play(session)
            let middle = session.hasUpdates ? ("second up\n", "second down\n") : ("", "")
            for size in [1, 50, 100_000] {
                let read = try read(pieces, random: random, secrets: secrets, size: size)
                #expect(String(decoding: read.up, as: UTF8.self) == "first up\n\(middle.0)last up\n", "\(session.name)")
                #expect(String(decoding: read.down, as: UTF8.self) == "first down\n\(middle.1)", "\(session.name)")
                #expect(read.ends.contains(true), "\(session.name)")
                #expect(read.failure == nil, "\(session.name)")
            }
        }

        @Test("a suite without AEAD is refused, not misread")
        func unsupported() throws {
            let (pieces, random, secrets) = try Self.play(.cbcOld)
            #expect(try read(pieces, random: random, secrets: secrets) == Read(failure: .unsupported))
        }

        @Test("with another session's secrets nothing comes out")
        func otherSecrets() throws {
            for session in RecordedSession.all {
                let (pieces, random, secrets) = try Self.play(session)
                var others = secrets
                others.client = secrets.server
                others.server = secrets.client
                if secrets.master != nil { others.master = [UInt8](repeating: 1, count: 48) }
                let read = try read(pieces, random: random, secrets: others)
                #expect(read.up.isEmpty && read.down.isEmpty, "\(session.name)")
            }
        }

        @Test("a record that was changed, left out or sent again ends it: nothing after it comes out")
        func changed() throws {
            var changed = Trace.all
            changed[5].1[20] ^= 1
            // The first record under a key may be the handshake's, so it is not the first that is changed.
            let more = changed + Trace.all[5...]
            let first = try read(
                Array(Trace.all[..<6]) + [(true, Trace.clientData)], random: Trace.random, secrets: Self.traceSecrets)
            #expect(first == Read(up: Trace.data, failure: .wrongKeys, suite: 0x1301))
            let skipped = try read(more, random: Trace.random, secrets: Self.traceSecrets)
            #expect(skipped.up == Trace.data, "a record that does not open is taken for the handshake's until one does")
            let without = Array(Trace.all[..<6]) + [Trace.all[7]] + [Trace.all[5]]
            #expect(
                try read(without, random: Trace.random, secrets: Self.traceSecrets)
                    == Read(up: Trace.data, ends: [true], suite: 0x1301))
            let (pieces, random, secrets) = try Self.play(.aes128Old)
            var flipped = pieces
            flipped[4].bytes[12] ^= 0x80
            #expect(
                try read(flipped, random: random, secrets: secrets) == Read(failure: .wrongKeys, suite: 0xC02B))
        }

        @Test("data before the ServerHello is early data, whose key the log names apart")
        func earlyData() throws {
            let early = [Trace.all[0], (true, Trace.clientData)] + Trace.all[1...]
            #expect(
                try read(Array(early), random: Trace.random, secrets: Self.traceSecrets) == Read(failure: .earlyData))
        }

        @Test(
            "what is no TLS ends it",
            arguments: [[0x15], [0x16, 3, 1, 0, 0], [0x17, 3, 3, 0xFF, 0xFF], [0x47, 0x45, 0x54, 0x20, 0x2F]])
        func malformed(bytes: [UInt8]) throws {
            let read = try read(
                [(true, Trace.clientHello), (false, bytes)], random: Trace.random, secrets: Self.traceSecrets)
            #expect(read == Read(failure: bytes.count < 5 ? nil : .malformed))
        }

        @Test("any byte of a session may be wrong: what comes out is a beginning of what was inside")
        func anyByte() throws {
            let all = Trace.all
            for (index, piece) in all.enumerated() {
                for place in stride(from: 0, to: piece.1.count, by: max(1, piece.1.count / 40)) {
                    for bit: UInt8 in [1, 0x80] {
                        var broken = all
                        broken[index].1[place] ^= bit
                        let read = try read(broken, random: Trace.random, secrets: Self.traceSecrets)
                        #expect(read.up.isEmpty || read.up == Trace.data)
                        #expect(read.down.isEmpty || read.down == Trace.data)
                    }
                }
            }
        }
    }
#endif
