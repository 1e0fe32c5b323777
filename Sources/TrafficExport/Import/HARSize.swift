import TrafficModel

/// Computes the parts of a message from the two sizes that a HAR has for it.
enum HARSize {
    /// The size of a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - parts: the sizes that this project's own exports contain; nil for other archives.
    ///   - startLine: the length of the start line in bytes, which splits the headers' size.
    ///   - cookies: the length in bytes of the cookie lines among the archive's headers.
    /// - Returns: the parts, with evidence `reported` if they are known.
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
        // No number of the format includes interim responses or framing.
        return WireSize(
            startLine: reported(line), fields: reported(head.map { $0 - (line ?? 0) }),
            cookies: head == nil ? .unknown : .init(ByteCount(cookies), .reconstructed), interim: reported(0),
            body: reported(message.bodySize), framing: reported(0))
    }

    private static func reported(_ bytes: Int64?) -> WireSize.Part {
        bytes.map { .init(ByteCount($0), .reported) } ?? .unknown
    }
}
