/// Why an exchange failed: the code, the domain that defines it, and its meaning.
public struct ExchangeFailure: Hashable, Sendable {
    /// The library or system that defines the codes.
    ///
    /// Its raw value is the name in machine formats.
    public struct Domain: RawRepresentable, Hashable, Sendable {
        /// The name in machine formats.
        public var rawValue: String

        /// The domain of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The domain of that name.
        public init(_ name: String) { self.init(rawValue: name) }

        /// libcurl's `CURLcode` (<https://curl.se/libcurl/c/libcurl-errors.html>).
        public static let libcurl = Domain("libcurl")
        /// URLSession's `NSURLErrorDomain`; its codes are negative.
        public static let urlSession = Domain("NSURLErrorDomain")
        /// The system's `errno`.
        public static let posix = Domain("NSPOSIXErrorDomain")
        /// The end of the connection, in words, without a code of another domain.
        public static let connection = Domain("connection")
        /// An HTTP Archive that reports an error in words, without a code of another domain.
        public static let archive = Domain("archive")
    }

    /// The library or system that defines ``code``.
    public var domain: Domain
    /// The code; 0 if the domain has none.
    public var code: Int
    /// What the code means, in words.
    public var message: String

    /// A failure with that code of that domain.
    public init(_ domain: Domain, code: Int, message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }
}
