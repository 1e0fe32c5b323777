extension SelfTest {
    /// How well one kind of traffic, or of program, can be metered, and what to do where it cannot.
    public struct Capability: Sendable, Hashable {
        /// How well it can be metered.
        public enum Level: String, Sendable, Hashable {
            /// To the byte.
            case exact
            /// By the system's own counters.
            case reported
            /// Computed from what is shown; labelled `reconstructed`.
            case estimated
            /// Not at all.
            case blind
        }

        /// What is metered, or not.
        public let subject: String
        /// How well.
        public let level: Level
        /// Why that is so.
        public let explanation: String
        /// What to do about it; nil where there is nothing to do.
        public let advice: String?
    }
}

extension SelfTest.Capability {
    /// What holds with those libcurls.
    package static func all(with libraries: [SelfTest.Libcurl]) -> [Self] {
        #if canImport(ObjectiveC)
            onApplePlatforms
        #else
            [http1, https, http2(libraries), http3(libraries)] + blindSpots
        #endif
    }

    private static let http1 = Self(
        subject: "HTTP/1", level: .exact,
        explanation: "Every byte of requests and responses passes the tap, by URLSession and by libcurl.", advice: nil)

    private static let https = Self(
        subject: "HTTPS", level: .exact,
        explanation: "The tap sits above TLS and sees the messages in the clear, without a certificate. "
            + "Records and handshakes of TLS belong to the connection, whose bytes the kernel counts.", advice: nil)

    /// What holds for HTTP/2: the one place where that is decided.
    private static func http2(_ libraries: [SelfTest.Libcurl]) -> Self {
        guard libraries.contains(where: { $0.nghttp2 != nil }) else {
            return Self(
                subject: "HTTP/2", level: .blind, explanation: "No libcurl here says that it speaks it.",
                advice: "Use a libcurl that is built with nghttp2.")
        }
        return Self(
            subject: "HTTP/2", level: .estimated,
            explanation: "Bodies are captured. libcurl shows heads as text and not as HPACK packs them, so that heads "
                + "and frame headers are computed, and labelled 'reconstructed'.",
            advice: "The kernel's count of the connection is exact.")
    }

    private static func http3(_ libraries: [SelfTest.Libcurl]) -> Self {
        let speaker = libraries.first { $0.quic != nil }
        return Self(
            subject: "HTTP/3", level: .blind,
            explanation: speaker.map { "'\($0.name)' speaks it, and the tap has not been proven on it." }
                ?? "No libcurl here says that it speaks it.",
            advice: speaker.map { _ in "Ask for HTTP/2 or HTTP/1.1 while you meter." })
    }

    private static let blindSpots = [
        Self(
            subject: "WebSockets", level: .blind,
            explanation: "The request that opens one is metered; what follows are no HTTP messages.",
            advice: "Read the bytes of its connection."),
        Self(
            subject: "static programs", level: .blind,
            explanation: "No dynamic linker runs in them, so that nothing can be loaded into them.",
            advice: "Link libcurl and the C library as shared libraries; '-static-stdlib' of Swift does no harm."),
        Self(
            subject: "setuid programs", level: .blind,
            explanation: "The system drops preloaded libraries for programs that run with other rights than yours.",
            advice: "Run it as the user that it becomes, or from a copy without the bit."),
        Self(
            subject: "other HTTP stacks", level: .blind,
            explanation: "Go, Java, Node, Rust's hyper and Python's requests do not use libcurl.",
            advice:
                "Use a binding of libcurl (pycurl, php-curl), or let the tool write a HAR and 'wireweight import' it."),
    ]

    private static let onApplePlatforms = [
        Self(
            subject: "sessions with the monitor's delegate", level: .reported,
            explanation: "Sizes are the system's own, of each task's transactions. This process cannot check them, for "
                + "there is no place above TLS to look at the bytes.",
            advice: "Compare with the network instrument, or on Linux, where the same code is metered exactly."),
        Self(
            subject: "sessions through URLProtocol", level: .estimated,
            explanation: "Sizes are computed from what Foundation shows, and labelled 'reconstructed'.", advice: nil),
        Self(
            subject: "other sessions", level: .blind,
            explanation: "Background sessions, web views, WebSockets and sockets of the program's own are not seen.",
            advice: "Give your sessions the delegate of 'delegate(wrapping:)'."),
    ]
}
