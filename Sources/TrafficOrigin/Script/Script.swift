/// The steps that the origin performs for one request.
///
/// The origin reads the request's content before the first step that writes anything but an interim response, unless
/// ``readsBodyFirst`` is false.
public struct Script: Sendable {
    /// Bytes to write, and the part of the response that they belong to.
    public struct Segment: Sendable {
        /// The bytes to write.
        public var bytes: [UInt8]
        /// The part of the response that they count as.
        public var part: MessagePart

        /// Makes a segment of bytes.
        public init(_ bytes: [UInt8], as part: MessagePart) {
            self.bytes = bytes
            self.part = part
        }

        /// Makes a segment of text in UTF-8.
        public init(_ text: String, as part: MessagePart) { self.init(Array(text.utf8), as: part) }
    }

    /// An action of the origin.
    ///
    /// Later versions may have more steps.
    public struct Step: Sendable {
        package enum Action: Sendable {
            case write([Segment])
            case fill(count: Int)
            case fillChunks(count: Int, size: Int)
            case readRequestBody
            case readSome(count: Int)
            case pause(milliseconds: Int)
            case hold, awaitDelivery, close, hangUp, reset
            case then(@Sendable (OriginRequest) -> Script)
        }

        package let action: Action

        private init(_ action: Action) { self.action = action }

        /// Writes segments, passed to the kernel in one piece.
        public static func write(_ segments: [Segment]) -> Step { Step(.write(segments)) }
        /// Writes `count` bytes of a repeating pattern as content.
        public static func fill(count: Int) -> Step { Step(.fill(count: count)) }
        /// Writes `count` chunks of `size` bytes with their framing, but not the last chunk.
        public static func fillChunks(count: Int, size: Int) -> Step { Step(.fillChunks(count: count, size: size)) }
        /// Reads the request's content to its end.
        public static let readRequestBody = Step(.readRequestBody)
        /// Reads `count` bytes of the request's content, or fewer at its end.
        public static func readSome(count: Int) -> Step { Step(.readSome(count: count)) }
        /// Waits, unless the client hangs up first.
        public static func pause(milliseconds: Int) -> Step { Step(.pause(milliseconds: milliseconds)) }
        /// Waits until the client hangs up; it reads nothing, so it does not notice that while content is unread.
        public static let hold = Step(.hold)
        /// Waits until the client's kernel has acknowledged all bytes written, 2 seconds at most.
        public static let awaitDelivery = Step(.awaitDelivery)
        /// Ends our side with a FIN, then waits for the client's FIN.
        public static let close = Step(.close)
        /// Ends both sides with a FIN; the kernel responds to later bytes of the client with a RST.
        public static let hangUp = Step(.hangUp)
        /// Ends the connection with a RST.
        public static let reset = Step(.reset)
        /// Reads the request's content, then continues with a script made from the whole request.
        public static func then(_ next: @escaping @Sendable (OriginRequest) -> Script) -> Step { Step(.then(next)) }
    }

    /// The steps in order.
    public var steps: [Step]
    /// Whether the request's content is read before the response is written.
    public var readsBodyFirst = true

    /// Makes a script from steps.
    public init(_ steps: [Step], readsBodyFirst: Bool = true) {
        self.steps = steps
        self.readsBodyFirst = readsBodyFirst
    }

    /// Joins two scripts, performed one after the other.
    public static func + (left: Script, right: Script) -> Script {
        Script(left.steps + right.steps, readsBodyFirst: left.readsBodyFirst && right.readsBodyFirst)
    }

    /// The same script, which responds before it reads the request's content.
    public var early: Script { Script(steps, readsBodyFirst: false) }

    /// The bytes that ``Step/fill(count:)`` writes, to compare with: letters, in blocks of 26.
    public static func pattern(count: Int) -> [UInt8] {
        let block = (0..<26).map { UInt8(ascii: "a") + $0 }
        var result: [UInt8] = []
        result.reserveCapacity(count + 26)
        while result.count < count { result.append(contentsOf: block) }
        return Array(result.prefix(count))
    }
}
