extension SelfTest {
    /// How well one kind of traffic or program can be metered, and what to do if it cannot.
    public struct Capability: Sendable, Hashable {
        /// The quality of the metered sizes.
        ///
        /// Later versions may have more levels.
        public struct Level: RawRepresentable, Sendable, Hashable {
            /// The name in machine formats.
            public let rawValue: String

            /// The level of that name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Sizes are right to the byte.
            public static let exact = Level(rawValue: "exact")
            /// Sizes come from the system's own counters.
            public static let reported = Level(rawValue: "reported")
            /// Sizes are computed from what the system or library shows; they are labelled `reconstructed`.
            public static let estimated = Level(rawValue: "estimated")
            /// Nothing is metered.
            public static let blind = Level(rawValue: "blind")
        }

        /// The kind of traffic or program.
        public let subject: String
        /// How well it can be metered.
        public let level: Level
        /// The reason for the level.
        public let explanation: String
        /// What the user can do; nil if there is nothing to do.
        public let advice: String?
    }
}

extension SelfTest.Capability {
    /// The capabilities of this platform with the given libcurls.
    package static func all(with libraries: [SelfTest.Libcurl]) -> [Self] {
        #if canImport(ObjectiveC)
            onApplePlatforms
        #else
            [http1, https(libraries), http2(libraries), http3(libraries)] + blindSpots
        #endif
    }

    private static let http1 = Self(
        subject: "HTTP/1", level: .exact,
        explanation: "Every byte of requests and responses passes the tap, by URLSession and by libcurl.", advice: nil)

    private static func https(_ libraries: [SelfTest.Libcurl]) -> Self {
        let hidden = libraries.filter { $0.tls != nil && !$0.showsPlaintext }.map { "'\($0.name)'" }
        let split =
            hidden.isEmpty
            ? "The bytes of TLS records and handshakes are counted for each connection."
            : "With \(hidden.joined(separator: ", ")), the bytes that TLS adds cannot be counted."
        return Self(
            subject: "HTTPS", level: .exact,
            explanation: "The tap sits above TLS and sees the messages unencrypted, without a certificate. \(split)",
            advice: nil)
    }

    /// How well HTTP/2 can be metered; only this function decides it.
    private static func http2(_ libraries: [SelfTest.Libcurl]) -> Self {
        let speakers = libraries.filter { $0.nghttp2 != nil }
        guard !speakers.isEmpty else {
            return Self(
                subject: "HTTP/2", level: .blind, explanation: "No libcurl on this machine supports it.",
                advice: "Use a libcurl that is built with nghttp2.")
        }
        let hidden = speakers.filter { !$0.showsFrames }.map { "'\($0.name)'" }
        guard !hidden.isEmpty else {
            return Self(
                subject: "HTTP/2", level: .exact,
                explanation: "The tap counts the frames that pass between libcurl and nghttp2, stream by stream.",
                advice: nil)
        }
        return Self(
            subject: "HTTP/2", level: .estimated,
            explanation:
                "The tap does not see the frames of \(hidden.joined(separator: ", ")). Bodies are captured; headers "
                + "and frame headers are computed and labelled 'reconstructed'.",
            advice: "Use a libcurl that is linked with nghttp2 as a shared library.")
    }

    private static func http3(_ libraries: [SelfTest.Libcurl]) -> Self {
        let speaker = libraries.first { $0.quic != nil }
        return Self(
            subject: "HTTP/3", level: .blind,
            explanation: speaker.map { "'\($0.name)' supports it, but the tap has not been proven with it." }
                ?? "No libcurl on this machine supports it.",
            advice: speaker.map { _ in "Use HTTP/2 or HTTP/1.1 while you meter." })
    }

    private static let blindSpots = [
        Self(
            subject: "WebSockets", level: .blind,
            explanation: "The request that opens one is metered, as an exchange of 'ws' or 'wss'. The frames "
                + "after it are not HTTP; the connection's ledger counts them and their payload.",
            advice: "See them with 'wireweight connections', or with 'wireweight show' for the exchange."),
        Self(
            subject: "static programs", level: .blind,
            explanation: "No dynamic linker runs in them, so nothing can be loaded into them.",
            advice: "Link libcurl and the C library as shared libraries; Swift's '-static-stdlib' is fine."),
        Self(
            subject: "setuid programs", level: .blind,
            explanation: "The system ignores preloaded libraries for programs with privileges other than yours.",
            advice: "Run it as the user that it becomes, or from a copy without the setuid bit."),
        Self(
            subject: "other HTTP stacks", level: .blind,
            explanation: "A monitor inside a program sees libcurl alone. From outside, HTTP/1 and HTTP/2 through the C "
                + "library's sockets and OpenSSL, BoringSSL, GnuTLS or NSS is metered, as in Python, Node, Perl, Ruby and "
                + "wget. Of other TLS, as in Java and Rust, only connections are shown; of Go programs, nothing.",
            advice:
                "Run the program under 'wireweight run', which says what was metered. Else use a binding of libcurl "
                + "(pycurl, php-curl), or let the tool write a HAR and 'wireweight import' it."),
    ]

    static let onApplePlatforms = [
        Self(
            subject: "sessions with the monitor's delegate", level: .reported,
            explanation: "Sizes are the system's own, of each task's transactions. This process cannot check them, "
                + "because there is no place above TLS to look at the bytes.",
            advice: "Compare with the Network instrument of Instruments, or on Linux, where the same code is metered "
                + "exactly."),
        Self(
            subject: "sessions through URLProtocol", level: .estimated,
            explanation: "Sizes are computed from what Foundation shows, and labelled 'reconstructed'.", advice: nil),
        Self(
            subject: "tasks that cannot get a delegate", level: .blind,
            explanation: "With 'includesEverySession', some tasks are left alone, because Foundation would end the "
                + "program if they got a delegate: those of background sessions, downloads of AVFoundation, tasks that "
                + "ran before the start, and tasks of the loader that is new in iOS 18.4. Each is counted as "
                + "'transfer not tapped'.",
            advice: "Start the monitor first, and give your own sessions the delegate of 'delegate(wrapping:)'."),
        Self(
            subject: "other traffic", level: .blind,
            explanation: "Web views load in processes of their own, and sockets of the program's own pass no session. "
                + "They are neither metered nor counted. Of a WebSocket, at most the request that opens it is.",
            advice: "Meter the device from outside, by 'wireweight proxy' on a computer."),
    ]
}
