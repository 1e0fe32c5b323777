#if os(Linux)
    import CStreamPlay
    import Testing

    /// A program can close a descriptor, and get another socket by the same number, in ways that are not seen.
    @Suite("Which socket a descriptor is, is asked where something may begin")
    struct SocketIdentityTests {
        private static let binary: [UInt8] = [0x51, 0, 0, 0, 9, 0x41, 0x42]
        private static let record: [UInt8] = [23, 3, 3, 0, 2, 0x47, 0x45]
        /// RFC 8446, section 4.1.2, as far as it takes to see what it is.
        private static let hello: [UInt8] =
            [22, 3, 1, 0, 45, 1, 0, 0, 41, 3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0]

        private func pass(_ play: OpaquePointer, isDown: Bool = false, _ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { csc_pass(play, isDown, $0.baseAddress, $0.count) }
        }

        @Test(
            "not for bytes that begin nothing, on a connection without HTTP and in TLS",
            arguments: [(binary, binary), (hello, record)])
        func unasked(first: [UInt8], others: [UInt8]) {
            let play = csc_begin(false)!
            defer { csc_free(play) }
            pass(play, first)
            let before = csc_asked(play)
            for index in 0..<50 { pass(play, isDown: index % 2 == 1, others) }
            #expect(csc_asked(play) == before)
            pass(play, Array("GET / HTTP/1.1\r\n".utf8))
            #expect(csc_asked(play) == before + 1)
            #expect(csc_has_connection(play))
        }

        @Test("each time a message of HTTP may begin")
        func asked() {
            let play = csc_begin(false)!
            defer { csc_free(play) }
            for number in 1...5 {
                let before = csc_asked(play)
                pass(play, Array("GET /\(number) HTTP/1.1\r\n\r\n".utf8))
                #expect(csc_asked(play) == before + 1)
                pass(play, isDown: true, Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
                #expect(csc_asked(play) == before + 1)
            }
        }

        private static let beginnings: [(isDown: Bool, bytes: [UInt8])] = [
            (false, Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)), (false, Array("G".utf8)),
            (false, Array("\r\nGET / HTTP/1.1\r\n".utf8)), (false, Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
            (false, hello), (false, [22]), (false, [5, 1, 0]), (false, [4, 1, 0, 80, 127, 0, 0, 1, 0]),
            (false, Array("PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n".utf8)), (false, [13, 10, 13, 10, 0, 13, 10]),
            (true, [0, 0, 6, 4, 0, 0, 0, 0, 0]), (true, Array("HTTP/1.1 408 Request Timeout\r\n".utf8)),
        ]

        @Test("Another socket is found by whatever may begin a connection that is metered", arguments: [binary, hello])
        func reused(first: [UInt8]) {
            for (isDown, bytes) in Self.beginnings {
                let play = csc_begin(false)!
                defer { csc_free(play) }
                pass(play, first)
                csc_reuse(play)
                pass(play, isDown: isDown, first == Self.hello ? Self.record : Self.binary)
                #expect(csc_has_connection(play))
                pass(play, isDown: isDown, bytes)
                #expect(!csc_has_connection(play), "\(bytes)")
            }
        }
    }
#endif
