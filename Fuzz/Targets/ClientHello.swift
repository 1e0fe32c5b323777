#if os(Linux)
    import CStreamPlay

    extension FuzzTarget {
        /// The stream tap's reader of ClientHellos.
        static let clientHello = FuzzTarget(
            name: "hello",
            seeds: { HelloBytes.seeds },
            run: { input in
                let splits = Splits(input)
                let read = try splits.sameForAll(ReadHello.init)
                if let random = read.random {
                    try mustHold(splits.bytes.count >= 43, "a random in \(splits.bytes.count) bytes")
                    let all = Set(splits.bytes)
                    try mustHold(random.allSatisfy(all.contains), "a random that was not there: \(random)")
                }
                try mustHold(
                    read.random != nil || (read.name.isEmpty && read.protocols.isEmpty), "names without a random")
                try mustHold(
                    contains(splits.bytes, read.name) && contains(splits.bytes, read.protocols),
                    "names that were not there: \(read)")
            })

        /// Whether these are among the bytes in that order, as they are if records' headers come between.
        static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
            var rest = wanted[...]
            for byte in bytes where byte == rest.first { rest = rest.dropFirst() }
            return rest.isEmpty
        }
    }

    /// What the stream tap reads of a hello.
    struct ReadHello: Equatable {
        var random: [UInt8]?
        var name: [UInt8]
        /// Each with its length before it.
        var protocols: [UInt8]
        var isOver: Bool

        init(_ pieces: [[UInt8]]) {
            let hello = csp_hello_begin()
            defer { csp_hello_free(hello) }
            for piece in pieces { piece.withUnsafeBufferPointer { csp_hello_add(hello, $0.baseAddress, $0.count) } }
            random = csp_hello_random(hello).map { Array(UnsafeBufferPointer(start: $0, count: 32)) }
            name = Self.bytes { csp_hello_server_name(hello, $0) }
            protocols = Self.bytes { csp_hello_protocols(hello, $0) }
            isOver = csp_hello_is_over(hello)
        }

        static func bytes(_ first: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?) -> [UInt8] {
            var count = 0
            let start = first(&count)
            return Array(UnsafeBufferPointer(start: start, count: count))
        }
    }
#endif
