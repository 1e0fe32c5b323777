/// What a User-Agent says of the device or the app that sends it (RFC 9110, section 10.1.5).
enum AgentHint {
    // As they are in the comment of a browser's or an app's User-Agent; Android's names Linux, too.
    private static let systems = [
        "iPhone", "iPad", "Apple TV", "Apple Watch", "Android", "CrOS", "Windows", "Macintosh", "Linux",
    ]
    private static let longest = 40

    /// The kind of device that a comment names, otherwise the first product without its version; nil if there is neither.
    static func of(_ agent: String) -> String? {
        if let open = agent.firstIndex(of: "(") {
            let comment = agent[open...].prefix { $0 != ")" }
            if let system = systems.first(where: { comment.contains($0) }) { return system }
        }
        let product = agent.prefix { $0 != "/" && $0 != " " }
        guard !product.isEmpty, product.utf8.count <= longest, product.utf8.allSatisfy(isTokenByte) else { return nil }
        return String(product)
    }

    // RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
