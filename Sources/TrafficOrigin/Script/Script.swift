/// What the origin does with one request, step by step.
///
/// The request's content is read before the first step that writes other than an interim response, unless
/// ``readsBodyFirst`` says no.
public struct Script: Sendable {
    /// Bytes with the part of the response that they are.
    public struct Segment: Sendable {
        /// The bytes.
        public var bytes: [UInt8]
        /// What they are.
        public var part: MessagePart

        /// Those bytes as that part.
        public init(_ bytes: [UInt8], as part: MessagePart) {
            self.bytes = bytes
            self.part = part
        }

        /// That text as that part.
        public init(_ text: String, as part: MessagePart) { self.init(Array(text.utf8), as: part) }
    }

    /// One step.
    public enum Step: Sendable {
        /// Writes segments, handed to the kernel in one piece.
        case write([Segment])
        /// Writes that many bytes of a repeating pattern as content.
        case fill(count: Int)
        /// Writes that many chunks of that size, framing included; without the last chunk.
        case fillChunks(count: Int, size: Int)
        /// Reads the request's content to its end.
        case readRequestBody
        /// Reads that many bytes of the request's content, or to its end.
        case readSome(count: Int)
        /// Waits, unless the client hangs up first.
        case pause(milliseconds: Int)
        /// Waits until the client hangs up; reads nothing, and so does not see it while content lies unread.
        case hold
        /// Waits until the client's kernel has acknowledged all that was written, 2 seconds at most.
        case awaitDelivery
        /// Ends our side with a FIN, then waits for the client's.
        case close
        /// Ends both sides with a FIN: what the client sends from then on is answered with a RST.
        case hangUp
        /// Ends the connection with a RST.
        case reset
        /// Goes on with a script made from the whole request; reads the content first.
        case then(@Sendable (OriginRequest) -> Script)
    }

    /// The steps in order.
    public var steps: [Step]
    /// Whether the request's content is read before the response is written.
    public var readsBodyFirst = true

    /// A script of those steps.
    public init(_ steps: [Step], readsBodyFirst: Bool = true) {
        self.steps = steps
        self.readsBodyFirst = readsBodyFirst
    }

    /// One script after the other.
    public static func + (left: Script, right: Script) -> Script {
        Script(left.steps + right.steps, readsBodyFirst: left.readsBodyFirst && right.readsBodyFirst)
    }

    /// The same script, which answers before it reads the request's content.
    public var early: Script { Script(steps, readsBodyFirst: false) }

    /// The bytes that ``Step/fill(count:)`` writes, and so the ones to expect: letters, in blocks of 26.
    public static func pattern(count: Int) -> [UInt8] {
        let block = (0..<26).map { UInt8(ascii: "a") + $0 }
        var result: [UInt8] = []
        result.reserveCapacity(count + 26)
        while result.count < count { result.append(contentsOf: block) }
        return Array(result.prefix(count))
    }
}
