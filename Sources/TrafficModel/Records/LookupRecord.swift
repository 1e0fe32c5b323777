/// A lookup of a name: what a program asked, and what came of it.
public struct LookupRecord: Hashable, Sendable {
    /// Who asked.
    ///
    /// Its raw value is the name in machine formats and in files.
    public struct Source: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name in machine formats.
        public let rawValue: String

        /// The source of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The C library (getaddrinfo, gethostbyname), which may read a file, ask a resolver or another service.
        public static let libc = Source(rawValue: "libc")
        /// The program itself asked a resolver by DNS over UDP or TCP (RFC 1035).
        public static let dns = Source(rawValue: "dns")

        /// The same as the raw value.
        public var description: String { rawValue }
    }

    /// The most addresses that a record lists.
    public static let mostAddresses = 8

    /// The name of ``error`` if no answer came.
    public static let unanswered = "no answer"

    /// The program.
    public var process: ProcessIdentity
    /// The name that it asked for, without a final dot.
    public var name: String
    /// Who asked.
    public var source: Source
    /// The type of records that were requested, such as `AAAA` (RFC 1035, section 3.2.2); nil for the C library, which
    /// asks for whatever it needs.
    public var recordType: String?
    /// The address of the resolver; nil for the C library, which does not say whom it asked.
    public var resolver: String?
    /// When the program asked.
    public var startedAt: Timestamp
    /// Until the answer came, or until the program gave up; nanoseconds.
    public var duration: Int64
    /// The code of a failure by its name, such as `NXDOMAIN` or `EAI_NONAME`; nil if there was none.
    ///
    /// An answer without records of that type (RFC 2308, section 2.2) is no failure if the program asked itself.
    public var error: String?
    /// The number of records of that type in the answer, or of different addresses that the C library found.
    public var answers: Int64
    /// The first addresses of them.
    public var addresses: [String]
    /// How often the program sent the question; nil for the C library.
    public var queries: Int64?
    /// The payload of the datagrams with the question; nil for the C library, whose datagrams are not seen.
    ///
    /// Over TCP, a message has two bytes more, which are its length (RFC 1035, section 4.2.2).
    public var bytesUp: ByteCount?
    /// The payload of the datagram with the answer, also of a truncated one before it; nil for the C library.
    public var bytesDown: ByteCount?

    /// A lookup that found nothing yet.
    public init(
        process: ProcessIdentity, name: String, source: Source, recordType: String? = nil, resolver: String? = nil,
        startedAt: Timestamp, duration: Int64 = 0, error: String? = nil, answers: Int64 = 0, addresses: [String] = [],
        queries: Int64? = nil, bytesUp: ByteCount? = nil, bytesDown: ByteCount? = nil
    ) {
        self.process = process
        self.name = name
        self.source = source
        self.recordType = recordType
        self.resolver = resolver
        self.startedAt = startedAt
        self.duration = duration
        self.error = error
        self.answers = answers
        self.addresses = addresses
        self.queries = queries
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
    }

    /// Whether it failed, or no answer came.
    public var hasFailed: Bool { error != nil }
}
