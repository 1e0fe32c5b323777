#if os(Linux)
    import CStreamPlay
    import CurlObserver
    import TrafficModel
    import WireweightTesting

    /// A connection of a program, with the TLS in it, as the tap's hooks see it, and what the reader makes of the frames.
    ///
    /// Each layer carries the records of the next one: the connection itself, the TLS in it, the TLS in a tunnel of that.
    /// What a session sends or receives is passed to the tap as its calls would be, and bound to the connection by nothing
    /// but the random of its ClientHello.
    struct ConnectionPlay {
        enum Step {
            /// Bytes in the innermost layer so far.
            case up(String), down(String)
            /// The innermost layer carries TLS from now on, whose library is hooked or not, and knows that random or another.
            case tls(isHooked: Bool = true, isOwn: Bool = true)
        }

        /// How a program passes on what its TLS library has enciphered.
        enum Passing: CaseIterable {
            /// Within the call for the plaintext: the library has a socket, or a BIO of the program's.
            case within
            /// After it: the library writes into memory.
            case after
        }

        let sink: RecordingSink
        /// What the connection has carried.
        let payload: ByteFlow
        /// What each TLS has added to its plaintext, the outermost first.
        let overheads: [ByteFlow]

        init(
            _ steps: [Step], split: StreamPlay.Split = .whole, passing: Passing = .within, isServer: Bool = false
        ) throws {
            var player = Player(split: split, passing: passing, isServer: isServer)
            defer { csc_free(player.play) }
            for step in steps {
                switch step {
                case .up(let text): player.pass(Array(text.utf8), isDown: false, layer: player.sessions.count)
                case .down(let text): player.pass(Array(text.utf8), isDown: true, layer: player.sessions.count)
                case .tls(let isHooked, let isOwn): player.startTLS(isHooked: isHooked, isOwn: isOwn)
                }
            }
            var count = 0
            let frames = csc_close(player.play, &count)
            let hearing = Hearing()
            try hearing.take(Array(UnsafeBufferPointer(start: frames, count: count)))
            hearing.reader.finish(at: 1 << 40)
            sink = hearing.sink
            payload = player.payload
            overheads = player.overheads
        }
    }

    private struct Player {
        let play: OpaquePointer
        let split: StreamPlay.Split
        let passing: ConnectionPlay.Passing
        let isServer: Bool
        /// The sessions, the outermost first; nil for those whose library is not hooked.
        var sessions: [OpaquePointer?] = []
        var payload = ByteFlow.zero
        var overheads: [ByteFlow] = []
        private var random = StreamPlay.Steps(state: 1)

        init(split: StreamPlay.Split, passing: ConnectionPlay.Passing, isServer: Bool) {
            play = csc_begin(isServer)
            self.split = split
            self.passing = passing
            self.isServer = isServer
        }

        /// Passes bytes in a layer: 0 is the connection itself.
        mutating func pass(_ bytes: [UInt8], isDown: Bool, layer: Int) {
            guard layer > 0 else {
                payload.add(bytes.count, isDown: isDown)
                let play = play
                return eachPiece(of: bytes) { csc_pass(play, isDown, $0.baseAddress, $0.count) }
            }
            let record = Self.record(bytes, type: 23, added: 17)
            overheads[layer - 1].add(record.count - bytes.count, isDown: isDown)
            let isSent = isDown == isServer
            if isSent, passing == .after { report(bytes, isDown: isDown, layer: layer) }
            pass(record, isDown: isDown, layer: layer - 1)
            // What is received is deciphered last.
            if !isSent || passing == .within { report(bytes, isDown: isDown, layer: layer) }
        }

        private mutating func report(_ bytes: [UInt8], isDown: Bool, layer: Int) {
            guard let session = sessions[layer - 1] else { return }
            eachPiece(of: bytes) { csc_pass_plain(session, isDown, $0.baseAddress, $0.count) }
        }

        private mutating func eachPiece(of bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count =
                    switch split {
                    case .whole: rest.count
                    case .bytes: 1
                    case .random: min(rest.count, 1 + Int(random.next() % 23))
                    }
                Array(rest.prefix(count)).withUnsafeBufferPointer(body)
                rest = rest.dropFirst(count)
            }
        }

        mutating func startTLS(isHooked: Bool, isOwn: Bool) {
            let number = UInt8(sessions.count + 1)
            let random = [UInt8](repeating: number, count: 32)
            let session = isHooked ? csc_add_session(play, isOwn ? random : random.map { ~$0 }) : nil
            let below = sessions.count
            sessions.append(session)
            overheads.append(.zero)
            func handshake(_ bytes: [UInt8], isDown: Bool) {
                overheads[below].add(bytes.count, isDown: isDown)
                pass(bytes, isDown: isDown, layer: below)
            }
            handshake(Self.clientHello(random), isDown: false)
            if let session { csc_shake_hands(session, false) }
            handshake(Self.record([UInt8](repeating: 2, count: 1_200), type: 22), isDown: true)
            handshake(Self.record([UInt8](repeating: 20, count: 53), type: 23), isDown: false)
            if let session { csc_shake_hands(session, true) }
            // Tickets.
            handshake(Self.record([UInt8](repeating: 4, count: 250), type: 23), isDown: true)
        }

        /// RFC 8446, section 5.1, with that many bytes more than it carries.
        private static func record(_ bytes: [UInt8], type: UInt8, added: Int = 0) -> [UInt8] {
            let count = bytes.count + added
            return [type, 3, 3, UInt8(count >> 8), UInt8(count & 0xff)] + bytes.map { ~$0 }
                + [UInt8](repeating: 0xA5, count: added)
        }

        /// RFC 8446, section 4.1.2, without a session, with one cipher suite and no extension.
        private static func clientHello(_ random: [UInt8]) -> [UInt8] {
            let body: [UInt8] = [3, 3] + random + [0, 0, 2, 0x13, 1, 1, 0, 0, 0]
            return [22, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        }
    }

    extension ByteFlow {
        fileprivate mutating func add(_ count: Int, isDown: Bool) {
            if isDown { down += ByteCount(count) } else { up += ByteCount(count) }
        }
    }
#endif
