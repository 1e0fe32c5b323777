import TLSRecords

extension FuzzTarget {
    /// The reader of the secrets that programs write.
    static let keyLog = FuzzTarget(
        name: "key-log",
        seeds: {
            let line = "CLIENT_RANDOM \(String(repeating: "00", count: 32)) \(String(repeating: "ab", count: 48))\n"
            return [
                .text(line), .text("# a comment\r\n" + line.dropLast()),
                .text(line.replacing("CLIENT_RANDOM", with: "SERVER_TRAFFIC_SECRET_0") + line),
            ]
        },
        run: { input in
            let splits = Splits(input)
            let random = [UInt8](repeating: 0, count: 32)
            let read = try splits.sameForAll { pieces in
                var log = KeyLog()
                for piece in pieces { log.add(piece) }
                return [log.count, log[random]?.master?.count ?? 0, log[random]?.client?.count ?? 0]
            }
            try mustHold(read[0] * 130 <= splits.bytes.count, "\(read[0]) sessions of \(splits.bytes.count) bytes")
            for count in read.dropFirst() {
                try mustHold(count == 0 || (32...64).contains(count), "a secret of \(count)")
            }
        })

    /// The reader of TLS, of which it has the secrets: all that a server sends, after a ClientHello.
    static let tlsRecords = FuzzTarget(
        name: "tls",
        seeds: { TraceBytes.seeds },
        run: { input in
            guard let library = Libcrypto.system else { return }
            let splits = Splits(input)
            let read = try splits.sameForAll { pieces in
                var secrets = KeyLog.Secrets()
                (secrets.client, secrets.server) = (TraceBytes.client, TraceBytes.server)
                secrets.master = TraceBytes.client
                let conversation = TLSConversation(random: TraceBytes.client, secrets: secrets, library: library)
                var read = ReadTLS()
                for piece in pieces where read.failure == nil {
                    do throws(TLSConversation.Failure) {
                        try piece.withUnsafeBufferPointer { bytes throws(TLSConversation.Failure) in
                            try conversation.add(bytes, isUp: false) { output in
                                switch output {
                                case .plaintext(let text): read.text += text
                                case .end: read.ends += 1
                                }
                            }
                        }
                    } catch {
                        read.failure = error
                    }
                }
                return read
            }
            // What the secret's owner has not sealed does not open.
            try mustHold(read.text.isEmpty || read.text == Array(0..<50), "the plaintext \(read.text)")
            try mustHold(read.ends <= 1, "\(read.ends) ends")
        })
}

private struct ReadTLS: Equatable {
    var text: [UInt8] = []
    var ends = 0
    var failure: TLSConversation.Failure?
}

/// Of RFC 8448, section 3: the secrets, and what the server sends, but for the encrypted part of its handshake.
private enum TraceBytes {
    static let client = bytes("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5")
    static let server = bytes("a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643")

    static var seeds: [[UInt8]] {
        let old = hello.dropLast(6) + [0, 0x2B, 0, 2, 3, 3]
        return [
            [7] + hello + ticket + data + alert, [7] + hello + alert + data, [7] + data + hello,
            [7] + old + [20, 3, 3, 0, 1, 1] + data,
        ]
    }

    private static let hello = bytes(
        """
        160303005a020000560303a6af06a4121860dc5e6e60249cd34c95930c8ac5cb1434dac155772ed3e2692800130100002e00
        330024001d0020c9828876112095fe66762bdbf7c672e156d6cc253b833df1dd69b1b04e751f0f002b00020304
        """)
    private static let ticket = bytes(
        """
        17030300de3a6b8f90414a97d6959c3487680de5134a2b240e6cffac116e95d41d6af8f6b580dcf3d11d63c758db289a0159
        40252f55713e061dc13e078891a38efbcf5753ad8ef170ad3c7353d16d9da773b9ca7f2b9fa1b6c0d4a3d03f75e09c30ba1e
        62972ac46f75f7b981be63439b2999ce13064615139891d5e4c5b406f16e3fc181a77ca475840025db2f0a77f81b5ab05b94
        c01346755f69232c86519d86cbeeac87aac347d143f9605d64f650db4d023e70e952ca49fe5137121c74bc2697687e248746
        d6df353005f3bce18696129c8153556b3b6c6779b37bf15985684f
        """)
    private static let data = bytes(
        """
        17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb501a59a8fcc4
        9c4bf2e5f0a21c0047c2abf332540dd032e167c2955d
        """)
    private static let alert = bytes("1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9")

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
