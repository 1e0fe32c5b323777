#if os(Linux)
    import CStreamPlay
    import Testing

    /// When the tap turns on verbose mode, in which alone libcurl shows requests.
    ///
    /// It does so as late as it can: before libcurl first sends for a transfer that is performed, and from the start
    /// wherever that would be too late.
    @Suite struct TapVerboseModeTests {
        // https://curl.se/libcurl/c/curl_version_info.html
        private static let http2: UInt32 = 1 << 16
        private static let http3: UInt32 = 1 << 25

        /// One that has HTTP/2 and not used it, with all hooks in place.
        private static let usual = csp_libcurl(
            version: 0x07_58_01, features: http2, follows_sends: true, follows_http2: true, has_http2: false,
            is_verbose: false, asks_doh: false)

        private static func begins(_ change: (inout csp_libcurl) -> Void) -> Bool {
            var libcurl = usual
            change(&libcurl)
            return csp_begins_quietly(libcurl)
        }

        @Test(
            "from libcurl 7.87 on, which sends for its TLS libraries",
            arguments: [(0x07_3D_00, false), (0x07_56_00, false), (0x07_57_00, true), (0x08_00_00, true)]
                as [(UInt32, Bool)])
        func version(number: UInt32, isQuiet: Bool) {
            #expect(Self.begins { $0.version = number } == isQuiet)
        }

        @Test("not with HTTP/3, nor after HTTP/2 was spoken, nor where HTTP/2 or sending would not be seen")
        func protocols() {
            #expect(Self.begins { _ in })
            #expect(Self.begins { $0.features = 0 })
            #expect(!Self.begins { $0.features = Self.http3 })
            #expect(!Self.begins { $0.features |= Self.http3 })
            #expect(!Self.begins { $0.has_http2 = true })
            #expect(!Self.begins { $0.follows_http2 = false })
            #expect(
                Self.begins {
                    $0.follows_http2 = false
                    $0.features = 0
                })
            #expect(!Self.begins { $0.follows_sends = false })
        }

        @Test("not if the program has it on, nor with a resolver over HTTPS, which takes it from the transfer")
        func options() {
            #expect(!Self.begins { $0.is_verbose = true })
            #expect(!Self.begins { $0.asks_doh = true })
        }

        @Test(
            "what libcurl sends counts for the transfer that the thread performs, and for no other",
            arguments: [false, true])
        func performed(opensHTTP2: Bool) {
            let spoken = csp_perform(Self.usual, opensHTTP2)
            #expect(spoken.inner && !spoken.outer_too_early && spoken.outer && !spoken.other)
            #expect(spoken.has_http2 == opensHTTP2)
        }
    }
#endif
