/// Why the messages of a connection were not seen, and what is known of it all the same.
public struct UnseenTraffic: Hashable, Sendable {
    /// A reason why messages were not seen.
    ///
    /// Later versions may add reasons.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The name in machine formats.
        public var rawValue: String

        /// The reason of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Its TLS is made by a library that the meter does not know.
        public static let tls = Reason(rawValue: "tls")
        /// Nothing was sent inside its TLS; a handshake may have failed.
        public static let nothingSent = Reason(rawValue: "nothingSent")
        /// It carries HTTP/2 without a request.
        public static let http2 = Reason(rawValue: "http2")
        /// The program sent bytes in calls that the meter does not see.
        public static let bypassed = Reason(rawValue: "bypassed")
        /// A proxy passed its TLS on without opening it.
        public static let passedOn = Reason(rawValue: "passedOn")
        /// The meter could not follow all bytes.
        public static let torn = Reason(rawValue: "torn")
        /// Another process had used it before the program got it.
        public static let takenOver = Reason(rawValue: "takenOver")

        /// The reason in words, as the end of a sentence.
        public var sentence: String {
            switch self {
            case .tls: "its TLS library is not known to the meter"
            case .nothingSent: "nothing was sent inside its TLS"
            case .http2: "it carries HTTP/2 without a request"
            case .bypassed: "the program sent bytes in calls that the meter does not see"
            case .passedOn: "the proxy passed its TLS on unopened"
            case .torn: "the meter could not follow all bytes"
            case .takenOver: "another process had used it before the program got it"
            default: rawValue
            }
        }
    }

    /// Why its messages were not seen.
    public var reason: Reason
    /// The host that the client named as TLS began (RFC 6066, section 3); empty if it named none.
    public var serverName: String

    /// Messages that were not seen for that reason.
    public init(reason: Reason, serverName: String = "") {
        self.reason = reason
        self.serverName = serverName
    }
}
