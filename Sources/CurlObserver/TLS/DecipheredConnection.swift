internal import CCurlTap
internal import CStreamTap
internal import ConnectionAccounts
internal import TLSRecords
internal import TrafficModel

/// A connection whose TLS the reader deciphers: its plaintext becomes the frames that the program's tap would have sent.
final class DecipheredConnection {
    private enum State {
        /// The program has not written its keys yet, as those that do it on another thread.
        case waiting
        case reading(TLSConversation)
        /// Nothing more can be deciphered.
        case lost
    }

    private struct Piece {
        var isDown: Bool
        var time: UInt64
        var bytes: [UInt8]
    }

    let random: [UInt8]
    private let begin: wwt_tls_begin_body
    private let localAddress, remoteAddress: String
    private let library: Libcrypto
    private let skipsDigests: Bool
    private var state = State.waiting
    private var waiting: [Piece] = []
    /// The bytes in ``waiting``.
    private(set) var waitingCount = 0
    /// How many bytes of each direction have come.
    private var (up, down): (UInt64, UInt64) = (0, 0)
    /// When the last piece of the handshake came.
    private var secured: UInt64 = 0
    private var replay: OpaquePointer?
    /// The frame that reports the connection's end, if it came before its keys.
    private var closing: [UInt8]?

    init(
        _ begin: wwt_tls_begin_body, localAddress: String, remoteAddress: String, library: Libcrypto,
        skipsDigests: Bool
    ) {
        self.begin = begin
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.library = library
        self.skipsDigests = skipsDigests
        random = withUnsafeBytes(of: begin.random) { Array($0) }
    }

    deinit { wws_replay_free(replay) }

    var isWaiting: Bool {
        if case .waiting = state { true } else { false }
    }

    /// Whether its end has come, and waits for its keys.
    var isClosing: Bool { closing != nil }

    /// Takes bytes of one direction, which begin at that place among them.
    func take(_ bytes: UnsafeBufferPointer<UInt8>, isDown: Bool, offset: UInt64, at time: UInt64) {
        guard offset == (isDown ? down : up) else { return lose(at: time) }
        if isDown { down += UInt64(bytes.count) } else { up += UInt64(bytes.count) }
        switch state {
        case .waiting:
            waiting.append(Piece(isDown: isDown, time: time, bytes: Array(bytes)))
            waitingCount += bytes.count
        case .reading(let conversation): decipher(bytes, isDown: isDown, at: time, conversation)
        case .lost: break
        }
    }

    /// Takes the keys, and deciphers what has waited for them.
    func take(_ secrets: KeyLog.Secrets) {
        guard isWaiting else { return }
        let conversation = TLSConversation(random: random, secrets: secrets, library: library)
        state = .reading(conversation)
        for piece in waiting {
            guard case .reading = state else { break }
            piece.bytes.withUnsafeBufferPointer {
                decipher($0, isDown: piece.isDown, at: piece.time, conversation)
            }
        }
        forgetWaiting()
    }

    private func forgetWaiting() {
        waiting = []
        waitingCount = 0
    }

    private func decipher(
        _ bytes: UnsafeBufferPointer<UInt8>, isDown: Bool, at time: UInt64, _ conversation: TLSConversation
    ) {
        do throws(TLSConversation.Failure) {
            try conversation.add(bytes, isUp: !isDown) { output in
                switch output {
                case .plaintext(let text):
                    guard !text.isEmpty, let replay = replay ?? makeReplay(conversation) else { return }
                    wws_replay_add(replay, isDown, text.baseAddress, text.count, time)
                case .end: if isDown, let replay { wws_replay_end(replay, time) }
                }
            }
            if !conversation.isUnderWay { secured = time }
        } catch {
            lose(at: time)
        }
    }

    private func makeReplay(_ conversation: TLSConversation) -> OpaquePointer? {
        let words = ConnectionRecord.TLS(
            protocolVersion: conversation.version, cipherSuite: conversation.suite)
        var begin = begin
        replay = (words?.version ?? "").withCString { version in
            (words?.cipher ?? "").withCString { cipher in
                wws_replay_create(
                    &begin, localAddress, remoteAddress,
                    wws_replay_tls(
                        version: version, cipher: cipher, secured: secured, skips_digests: skipsDigests))
            }
        }
        return replay
    }

    /// Gives it up: bytes are missing, or cannot be deciphered.
    func lose(at time: UInt64) {
        if case .lost = state { return }
        state = .lost
        forgetWaiting()
        if let replay { wws_replay_lose(replay, time) }
    }

    /// The frames that have come of it since the last call.
    func frames(_ body: (UnsafeRawBufferPointer) throws(MalformedFrame) -> Void) throws(MalformedFrame) {
        guard let replay else { return }
        var count = 0
        let first = wws_replay_frames(replay, &count)
        try body(UnsafeRawBufferPointer(start: first, count: count))
    }

    /// Takes the frame that reports the connection's end, or that of the program.
    ///
    /// - Parameters:
    ///   - frame: the whole frame.
    ///   - isFinal: whether keys that have not come by now never will.
    /// - Returns: whether the frame is to be taken as it is; otherwise ``frames(_:)`` has one for it, or it waits.
    func close(_ frame: UnsafeRawBufferPointer, isFinal: Bool) -> Bool {
        if isWaiting, !isFinal {
            closing = Array(frame)
            return false
        }
        guard let replay else { return true }
        return !wws_replay_close(replay, frame.baseAddress?.assumingMemoryBound(to: UInt8.self), frame.count)
    }

    /// Takes the frame that has waited for keys.
    ///
    /// - Returns: the frame if it is to be taken as it is.
    func closeNow() -> [UInt8]? {
        guard let frame = closing else { return nil }
        closing = nil
        return frame.withUnsafeBytes { close($0, isFinal: true) } ? frame : nil
    }
}
