import ConnectionAccounts
import TrafficModel

#if os(Linux)
    import CStreamPlay

    extension FuzzTarget {
        /// The stream tap's reader of what a server says in the clear.
        static let serverHello = FuzzTarget(
            name: "answer",
            seeds: { AnswerBytes.seeds },
            run: { input in
                let splits = Splits(input)
                let read = try splits.sameForAll(ReadAnswer.init)
                try mustHold(
                    contains(splits.bytes, read.name) && contains(splits.bytes, read.certificate),
                    "what was not there: \(read)")
                guard let numbers = read.numbers else {
                    return try mustHold(
                        read.certificate.isEmpty && read.name.isEmpty, "something without a ServerHello: \(read)")
                }
                try mustHold(numbers[2] <= 2, "the resumption \(numbers[2])")
                try mustHold(
                    numbers[3] <= splits.bytes.count, "a chain of \(numbers[3]) of \(splits.bytes.count) bytes")
                try mustHold(
                    read.certificate.isEmpty || (numbers[2] == 1 && numbers[3] > read.certificate.count),
                    "a certificate of a session that goes on: \(read)")
            })
    }

    /// What the stream tap reads of what a server says.
    struct ReadAnswer: Equatable {
        /// Version, cipher suite, resumption, bytes of the certificates.
        var numbers: [UInt32]?
        var name: [UInt8]
        var certificate: [UInt8]
        var isOver: Bool

        init(_ pieces: [[UInt8]]) {
            let answer = csp_answer_begin()
            defer { csp_answer_free(answer) }
            for piece in pieces { piece.withUnsafeBufferPointer { csp_answer_add(answer, $0.baseAddress, $0.count) } }
            var numbers: [UInt32] = [0, 0, 0, 0]
            self.numbers = csp_answer_numbers(answer, &numbers) ? numbers : nil
            name = ReadHello.bytes { csp_answer_protocol(answer, $0) }
            certificate = ReadHello.bytes { csp_answer_certificate(answer, $0) }
            isOver = csp_answer_is_over(answer)
        }
    }
#endif

extension FuzzTarget {
    /// The reader of a server's certificate, and of the protocols that a client offers.
    static let certificate = FuzzTarget(
        name: "certificate",
        seeds: {
            [
                [7] + AnswerBytes.certificate, [7] + AnswerBytes.certificate.dropLast(30),
                [7] + Array("\u{2}h2\u{8}http/1.1\u{1},".utf8),
            ]
        },
        run: { input in
            let bytes = Array(input.dropFirst())
            let read = TLSHandshake(
                serverName: "", offered: bytes, chosen: bytes, version: 0x0303, cipher: 0xC02F, isResumed: false,
                certificate: bytes, chainSize: 0)
            try mustHold((read.certificate == nil) == bytes.isEmpty, "\(read)")
            for name in read.offeredProtocols + [read.applicationProtocol] {
                try mustHold(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2C }, "the protocol '\(name)'")
            }
            guard let certificate = read.certificate else { return }
            try mustHold(certificate.sha256.utf8.count == 64, "the digest \(certificate.sha256)")
            for text in [certificate.subject, certificate.issuer] {
                try mustHold(text.utf8.count <= 2 * (3 * bytes.count + 2), "a text of \(text.utf8.count) bytes")
            }
        })
}
