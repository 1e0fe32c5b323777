import TrafficModel

/// The parts of a message by the two numbers that a HAR has for it.
enum HARSize {
    /// The size of a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - parts: what this project's own exports tell; nil for others.
    ///   - startLine: how long the start line is, by which the head is split.
    ///   - cookies: how long the lines with cookies are, as they are told.
    /// - Returns: the parts, `reported` where they are known.
    static func size(
        of message: HAREntry.Message, parts: [String: Int64]?, startLine: Int64, cookies: Int
    ) -> WireSize {
        if let parts {
            func part(_ name: String) -> WireSize.Part { reported(parts[name]) }
            return WireSize(
                startLine: part("startLine"), fields: part("fields"), cookies: part("cookies"),
                interim: part("interim"), body: part("body"), framing: part("framing"))
        }
        let head = message.headersSize
        let line = head.map { min(startLine, $0) }
        // Interim responses and framing are in no number of the format.
        return WireSize(
            startLine: reported(line), fields: reported(head.map { $0 - (line ?? 0) }),
            cookies: head == nil ? .unknown : .init(ByteCount(cookies), .reconstructed), interim: reported(0),
            body: reported(message.bodySize), framing: reported(0))
    }

    private static func reported(_ bytes: Int64?) -> WireSize.Part {
        bytes.map { .init(ByteCount($0), .reported) } ?? .unknown
    }
}
