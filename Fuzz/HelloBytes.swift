/// What a client of TLS sends first (RFC 8446, section 4.1.2), whole, split and broken.
enum HelloBytes {
    /// The inputs that fuzzing starts with.
    static var seeds: [[UInt8]] {
        let message: [UInt8] = [1] + part(3, body)
        var records: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: 40) {
            records += record(Array(message[start..<min(start + 40, message.count)]))
        }
        let short: [UInt8] = [1] + part(3, Array(body.prefix(38)))
        let ofServer: [UInt8] = [2] + part(3, body)
        let endless: [UInt8] = [1, 0xFF, 0xFF, 0xFF] + body
        let inputs: [[UInt8]] = [
            record(message), records, record(short), record([]), record(ofServer), record(endless),
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ]
        return inputs.map { [7] + $0 }
    }

    /// A message with a random, a server's name and two protocols.
    private static var body: [UInt8] {
        let name: [UInt8] = part(2, [0] + part(2, Array("example.com".utf8)))
        let protocols: [UInt8] = part(2, part(1, Array("h2".utf8)) + part(1, Array("http/1.1".utf8)))
        var extensions: [UInt8] = [0, 0] + part(2, name)
        extensions += [0, 16] + part(2, protocols)
        extensions += [0, 43] + part(2, [2, 3, 4])
        var body: [UInt8] = [3, 3] + Array(repeating: 0xA5, count: 32)
        body += part(1, [1, 2, 3]) + part(2, [0x13, 1])
        return body + part(1, [0]) + part(2, extensions)
    }

    private static func record(_ bytes: [UInt8]) -> [UInt8] { [22, 3, 1] + part(2, bytes) }

    private static func part(_ size: Int, _ bytes: [UInt8]) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
}
