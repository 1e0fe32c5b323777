#if os(Linux)
    import CStreamPlay

    extension FuzzTarget {
        /// The stream tap's reader of ClientHellos.
        static let clientHello = FuzzTarget(
            name: "hello",
            seeds: {
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
            },
            run: { input in
                let splits = Splits(input)
                let read = try splits.sameForAll(ReadHello.init)
                if let random = read.random {
                    try mustHold(splits.bytes.count >= 43, "a random in \(splits.bytes.count) bytes")
                    let all = Set(splits.bytes)
                    try mustHold(random.allSatisfy(all.contains), "a random that was not there: \(random)")
                }
                try mustHold(
                    read.random != nil || (read.name.isEmpty && read.protocolName.isEmpty), "names without a random")
                try mustHold(
                    contains(splits.bytes, read.name) && contains(splits.bytes, read.protocolName),
                    "names that were not there: \(read)")
            })

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

        /// Whether these are among the bytes in that order, as they are if records' headers come between.
        private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
            var rest = wanted[...]
            for byte in bytes where byte == rest.first { rest = rest.dropFirst() }
            return rest.isEmpty
        }
    }

    private struct ReadHello: Equatable {
        var random: [UInt8]?
        var name: [UInt8]
        var protocolName: [UInt8]
        var isOver: Bool

        init(_ pieces: [[UInt8]]) {
            let hello = csp_hello_begin()
            defer { csp_hello_free(hello) }
            for piece in pieces { piece.withUnsafeBufferPointer { csp_hello_add(hello, $0.baseAddress, $0.count) } }
            random = csp_hello_random(hello).map { Array(UnsafeBufferPointer(start: $0, count: 32)) }
            name = Self.bytes(csp_hello_server_name(hello))
            protocolName = Self.bytes(csp_hello_protocol(hello))
            isOver = csp_hello_is_over(hello)
        }

        // As they are: a String would repair what is not UTF-8.
        private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
            guard let text else { return [] }
            return sequence(first: text) { $0 + 1 }.lazy.map { UInt8(bitPattern: $0.pointee) }.prefix { $0 != 0 }.map {
                $0
            }
        }
    }
#endif
