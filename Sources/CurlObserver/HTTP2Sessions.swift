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

    /// Gives what stands at the end of a stream to nobody.
    mutating func withhold(_ count: ByteCount, from stream: UInt32) {
        guard let tail = claimed[stream]?.up.tail else { return }
        let count = min(count, tail)
        claimed[stream]?.up.cutTail(count)
        control.up += count
    }

    /// The exchange of that stream is over: frames that come late are nobody's.
    mutating func release(_ stream: UInt32) { claimed[stream] = nil }
}
