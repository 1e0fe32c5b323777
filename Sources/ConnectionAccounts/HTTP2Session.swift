internal import HTTPWire
internal import TrafficModel

/// The bytes of an HTTP/2 session's frames, stream by stream.
struct HTTP2Session {
    /// The number of streams that may wait for their exchanges; the frames of further ones belong to no exchange.
    private static let mostUnclaimed = 256

    /// Whether the meter has missed frames, so that it knows no stream's bytes.
    private(set) var isBroken = false
    /// The frames that belong to no exchange, or no longer to one.
    private var control = ByteFlow.zero
    private var claimed: [UInt32: HTTP2Stream] = [:]
    private var unclaimed: [UInt32: HTTP2Stream] = [:]
    /// The bytes that were handed over last to be sent, in order, so the unsent ones are at the end.
    private var newestUp: [(stream: UInt32, bytes: ByteCount)] = []
    /// The number of pieces that ``newestUp`` remembers.
    private static let mostNewest = 32
    /// The largest number of a claimed stream; numbers only grow (RFC 9113, section 5.1.1).
    private var newest: UInt32 = 0

    /// The bytes of exchanges that run.
    var running: ByteFlow { claimed.values.reduce(.zero) { $0 + $1.bytes } }

    /// The bytes that belong to no exchange.
    var others: ByteFlow { unclaimed.values.reduce(control) { $0 + $1.bytes } }

    mutating func add(_ frames: HTTP2Frames) {
        if frames.isBroken { isBroken = true }
        for part in frames.parts { add(part) }
    }

    private mutating func add(_ part: HTTP2Frames.Part) {
        let stream = part.piece.stream
        if !part.isDown { remember(part.piece.bytes, of: stream) }
        if claimed[stream] != nil {
            claimed[stream]?.add(part)
            return
        }
        // The server's streams have even numbers.
        let isOpen = stream > newest && stream % 2 == 1
        if isOpen, unclaimed[stream] != nil || unclaimed.count < Self.mostUnclaimed {
            unclaimed[stream, default: HTTP2Stream()].add(part)
        } else if part.isDown {
            control.down += part.piece.bytes
        } else {
            control.up += part.piece.bytes
        }
    }

    /// Assigns the stream to an exchange; earlier streams that were not claimed count as belonging to none.
    mutating func claim(_ stream: UInt32) {
        guard stream > newest else { return }
        newest = stream
        claimed[stream] = unclaimed.removeValue(forKey: stream) ?? HTTP2Stream()
        for (earlier, bytes) in unclaimed where earlier < stream {
            unclaimed[earlier] = nil
            control += bytes.bytes
        }
    }

    /// The bytes that a stream has carried so far; nil if they are not known.
    func stream(_ number: UInt32) -> HTTP2Stream? { isBroken ? nil : claimed[number] }

    private mutating func remember(_ bytes: ByteCount, of stream: UInt32) {
        if newestUp.last?.stream == stream {
            newestUp[newestUp.count - 1].bytes += bytes
        } else {
            if newestUp.count >= Self.mostNewest { newestUp.removeFirst(Self.mostNewest / 2) }
            newestUp.append((stream, bytes))
        }
    }

    /// Moves unsent frames at the end of a stream, such as the one that cancels it, from its exchange to the session.
    ///
    /// - Parameters:
    ///   - unsent: how many of the bytes that were handed over have not left.
    ///   - stream: the stream.
    mutating func withhold(_ unsent: ByteCount, from stream: UInt32) {
        guard let tail = claimed[stream]?.up.tail else { return }
        let count = takeUnsent(unsent, of: stream, most: tail, for: 0)
        claimed[stream]?.up.cutTail(count)
        control.up += count
    }

    /// Finds how many bytes of a stream are among those that were not sent, and removes them from ``newestUp``.
    mutating func takeUnsent(_ unsent: ByteCount, of stream: UInt32) -> ByteCount {
        takeUnsent(unsent, of: stream, most: unsent, for: nil)
    }

    private mutating func takeUnsent(
        _ unsent: ByteCount, of stream: UInt32, most: ByteCount, for other: UInt32?
    ) -> ByteCount {
        var (left, wanted) = (unsent.bytes, most.bytes)
        var place = newestUp.count
        while place > 0, left > 0, wanted > 0 {
            place -= 1
            let among = min(newestUp[place].bytes.bytes, left)
            left -= among
            guard newestUp[place].stream == stream else { continue }
            let taken = min(among, wanted)
            wanted -= taken
            newestUp[place].bytes = ByteCount(newestUp[place].bytes.bytes - taken)
            if let other { newestUp.insert((other, ByteCount(taken)), at: place + 1) }
        }
        return ByteCount(most.bytes - wanted)
    }

    /// Ends the assignment of a stream whose exchange is over: frames that come later belong to none.
    mutating func release(_ stream: UInt32) { claimed[stream] = nil }
}
