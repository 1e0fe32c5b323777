#if os(Linux)
    import CCurlTap
    import CStreamPlay
    import Testing

    /// What the stream tap reads of a server's first bytes of TLS, however they are split.
    @Suite struct ServerHelloTests {
        private struct Read: Equatable {
            var version: UInt32 = 0
            var cipher: UInt32 = 0
            var resumption = WWT_RESUMPTION_UNKNOWN.rawValue
            var chain: UInt32 = 0
            var name = ""
            var certificate: [UInt8] = []
        }

        /// Nil without a ServerHello.
        private static func read(_ bytes: [UInt8], by step: Int) -> Read? {
            let answer = csp_answer_begin()
            defer { csp_answer_free(answer) }
            for start in stride(from: 0, to: bytes.count, by: step) {
                let piece = Array(bytes[start..<min(start + step, bytes.count)])
                csp_answer_add(answer, piece, piece.count)
            }
            var numbers: [UInt32] = [0, 0, 0, 0]
            guard csp_answer_numbers(answer, &numbers) else { return nil }
            var count = 0
            let name = csp_answer_protocol(answer, &count)
            let text = String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
            let first = csp_answer_certificate(answer, &count)
            return Read(
                version: numbers[0], cipher: numbers[1], resumption: numbers[2], chain: numbers[3],
                name: text,
                certificate: Array(UnsafeBufferPointer(start: first, count: count)))
        }

        private static func read(_ bytes: [UInt8]) -> Read? {
            let whole = read(bytes, by: max(1, bytes.count))
            for step in [1, 3, 7, 64] { #expect(read(bytes, by: step) == whole, "by \(step)") }
            return whole
        }

        private static func part(_ size: Int, _ bytes: [UInt8]) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }

        private static func record(_ bytes: [UInt8], type: UInt8 = 22) -> [UInt8] { [type, 3, 3] + part(2, bytes) }

        private static func message(_ type: UInt8, _ bytes: [UInt8] = []) -> [UInt8] { [type] + part(3, bytes) }

        private static func hello(_ extensions: [UInt8] = [], random: [UInt8]? = nil, cipher: [UInt8] = [0xC0, 0x2F])
            -> [UInt8]
        {
            let start: [UInt8] =
                [3, 3] + (random ?? Array(repeating: 7, count: 32)) + part(1, [1, 2, 3]) + cipher + [0]
            return message(2, start + part(2, extensions))
        }

        private static let newest: [UInt8] = [0, 43, 0, 2, 3, 4]
        private static let key: [UInt8] = [0, 41, 0, 2, 0, 0]
        private static let h2: [UInt8] = [0, 16, 0, 5, 0, 3, 2, 0x68, 0x32]
        private static let change = record([1], type: 20)
        private static let retry: [UInt8] = [
            0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2, 0xA2,
            0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
        ]
        private static let new = WWT_NEW_SESSION.rawValue
        private static let resumed = WWT_RESUMED.rawValue

        @Test func inTLS13AKeyOfBeforeIsResumption() {
            let cipher: [UInt8] = [0x13, 2]
            let first = Self.read(Self.record(Self.hello(Self.newest, cipher: cipher)) + Self.change)
            #expect(first == Read(version: 0x0304, cipher: 0x1302, resumption: Self.new))
            let later = Self.read(Self.record(Self.hello(Self.key + Self.newest, cipher: cipher)))
            #expect(later == Read(version: 0x0304, cipher: 0x1302, resumption: Self.resumed))
        }

        @Test func afterARetryTheNextHelloCounts() {
            let retry = Self.record(Self.hello(Self.newest, random: Self.retry)) + Self.change
            #expect(Self.read(retry) == nil)
            let both = retry + Self.record(Self.hello(Self.newest + Self.key))
            #expect(Self.read(both) == Read(version: 0x0304, cipher: 0xC02F, resumption: Self.resumed))
            #expect(Self.read(retry + retry + Self.record(Self.hello(Self.newest))) == nil)
        }

        @Test func beforeTLS13TheCertificateIsThereAndASessionThatGoesOnHasNone() {
            let own: [UInt8] = Array(repeating: 0xAB, count: 900)
            let certificates = Self.message(11, Self.part(3, Self.part(3, own) + Self.part(3, [1, 2, 3])))
            let whole = Self.hello(Self.h2) + certificates + Self.message(12, [1]) + Self.message(14)
            let expected = Read(
                version: 0x0303, cipher: 0xC02F, resumption: Self.new, chain: UInt32(certificates.count), name: "h2",
                certificate: own)
            #expect(Self.read(Self.record(whole)) == expected)
            // A record may end anywhere in a message.
            for size in [1, 5, 100, 700] {
                let records = stride(from: 0, to: whole.count, by: size).flatMap {
                    Self.record(Array(whole[$0..<min($0 + size, whole.count)]))
                }
                #expect(Self.read(records) == expected, "records of \(size)")
            }
            let resumed = Read(version: 0x0303, cipher: 0xC02F, resumption: Self.resumed, name: "h2")
            #expect(Self.read(Self.record(Self.hello(Self.h2)) + Self.change) == resumed)
            let ticket = Self.record(Self.hello(Self.h2)) + Self.record(Self.message(4, [0, 0, 0, 0, 0, 1, 9]))
            #expect(Self.read(ticket + Self.change) == resumed)
            // Without a certificate, by a key that both have.
            let keyed = Self.read(Self.record(Self.hello() + Self.message(14)) + Self.change)
            #expect(keyed == Read(version: 0x0303, cipher: 0xC02F, resumption: Self.new))
        }

        @Test func whatIsCutOrTooLongSaysNoMoreThanWhatCame() {
            let own: [UInt8] = Array(repeating: 0xAB, count: 900)
            let whole = Self.record(Self.hello(Self.h2) + Self.message(11, Self.part(3, Self.part(3, own))))
            let hello = 5 + Self.hello(Self.h2).count
            for count in whole.indices {
                let known = Read(version: 0x0303, cipher: 0xC02F, name: "h2")
                #expect(Self.read(Array(whole[..<count]), by: 50) == (count < hello ? nil : known), "of \(count)")
            }
            // The server's own is kept, and of a long chain the size; one that ends later than what is kept is not.
            for (size, isKept) in [(900, true), (16_000, true), (16_400, false)] {
                let own: [UInt8] = Array(repeating: 1, count: size)
                let chain = Self.message(
                    11, Self.part(3, Self.part(3, own) + Self.part(3, Array(repeating: 2, count: 90_000))))
                let records = stride(from: 0, to: chain.count, by: 16_000).flatMap {
                    Self.record(Array(chain[$0..<min($0 + 16_000, chain.count)]))
                }
                let read = Self.read(Self.record(Self.hello()) + records, by: 1_400)
                #expect(read?.chain == UInt32(chain.count) && read?.certificate == (isKept ? own : []))
            }
            // Endless, of another protocol, an alert, an empty record.
            let endless: [UInt8] = [2, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 60_000)
            let long = stride(from: 0, to: endless.count, by: 16_000).flatMap {
                Self.record(Array(endless[$0..<min($0 + 16_000, endless.count)]))
            }
            for bytes in [
                long, Self.record([2, 40], type: 21), Self.record([]), Array("HTTP/1.1 200 OK\r\n\r\n".utf8),
                Self.change,
            ] {
                #expect(Self.read(bytes + Self.record(Self.hello())) == nil)
            }
        }
    }
#endif
