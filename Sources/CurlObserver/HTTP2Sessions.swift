internal import HTTPWire
internal import TrafficModel

/// What has been sent both ways on one stream of HTTP/2.
struct HTTP2Stream {
    var up = HTTP2Message()
    var down = HTTP2Message()

    var bytes: ByteFlow { ByteFlow(up: up.bytes, down: down.bytes) }

    mutating func add(_ part: TapFrame.HTTP2.Part) {
        if part.isDown { down.add(part.piece) } else { up.add(part.piece) }
    }
}

/// A session of HTTP/2 on one connection: what its frames weigh, stream by stream.
struct HTTP2Session {
    /// Streams of which nobody has said yet whose they are; more of them are nobody's.
    private static let mostUnclaimed = 256

    /// Whether frames are missing, so that nothing can be said of a stream.
    private(set) var isBroken = false
    /// The frames that are no exchange's, or not any more.
    private var control = ByteFlow.zero
    private var claimed: [UInt32: HTTP2Stream] = [:]
    private var unclaimed: [UInt32: HTTP2Stream] = [:]
    /// What was handed to libcurl last, in its order: libcurl sends in that order, so what it has not sent is at the end.
    private var newestUp: [(stream: UInt32, bytes: ByteCount)] = []
    /// So many pieces of that are remembered.
    private static let mostNewest = 32
    /// The largest number of a stream that was claimed: numbers only grow (RFC 9113, section 5.1.1).
    private var newest: UInt32 = 0

    /// What belongs to exchanges that run.
    var running: ByteFlow { claimed.values.reduce(.zero) { $0 + $1.bytes } }

    /// What belongs to no exchange.
    var others: ByteFlow { unclaimed.values.reduce(control) { $0 + $1.bytes } }

    mutating func add(_ frames: TapFrame.HTTP2) {
        if frames.isBroken { isBroken = true }
        for part in frames.parts { add(part) }
    }

    private mutating func add(_ part: TapFrame.HTTP2.Part) {
        let stream = part.piece.stream
        if !part.isDown { remember(part.piece.bytes, of: stream) }
        if claimed[stream] != nil {
            claimed[stream]?.add(part)
            return
        }
        // Even numbers are the server's.
        let isOpen = stream > newest && stream % 2 == 1
        if isOpen, unclaimed[stream] != nil || unclaimed.count < Self.mostUnclaimed {
            unclaimed[stream, default: HTTP2Stream()].add(part)
        } else if part.isDown {
            control.down += part.piece.bytes
        } else {
            control.up += part.piece.bytes
        }
    }

    /// An exchange goes over that stream.
    mutating func claim(_ stream: UInt32) {
        guard stream > newest else { return }
        newest = stream
        claimed[stream] = unclaimed.removeValue(forKey: stream) ?? HTTP2Stream()
        for (earlier, bytes) in unclaimed where earlier < stream {
            unclaimed[earlier] = nil
            control += bytes.bytes
        }
    }

    /// What a stream has carried so far; nil where it is not known.
    func stream(_ number: UInt32) -> HTTP2Stream? { isBroken ? nil : claimed[number] }

    private mutating func remember(_ bytes: ByteCount, of stream: UInt32) {
        if newestUp.last?.stream == stream {
            newestUp[newestUp.count - 1].bytes += bytes
        } else {
            if newestUp.count >= Self.mostNewest { newestUp.removeFirst(Self.mostNewest / 2) }
            newestUp.append((stream, bytes))
        }
    }

    /// Gives frames at the end of a stream that are not sent yet, such as the one that gives it up, to no exchange.
    ///
    /// - Parameters:
    ///   - unsent: how much of what was handed to libcurl has not left.
    ///   - stream: the stream.
    mutating func withhold(_ unsent: ByteCount, from stream: UInt32) {
        guard let tail = claimed[stream]?.up.tail else { return }
        let count = takeUnsent(unsent, of: stream, most: tail, for: 0)
        claimed[stream]?.up.cutTail(count)
        control.up += count
    }

    /// Finds how much of a stream is among what libcurl has not sent; it is not found again.
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

    /// The exchange of that stream is over: frames that come late are nobody's.
    mutating func release(_ stream: UInt32) { claimed[stream] = nil }
}
