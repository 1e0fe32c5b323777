public import TrafficModel
internal import TrafficStore

extension TrafficMonitor {
    /// The settings of a monitor: its file, its observers, the hosts to meter, and how much to keep.
    public struct Configuration: Sendable, Hashable {
        /// Which hosts to meter.
        public struct Hosts: Sendable, Hashable {
            /// The hosts to meter; empty for all.
            ///
            /// `*.example.com` matches every host below `example.com`; `127.0.0.1:8080` matches one port only.
            public var include: [String]
            /// Hosts that are not metered, even if ``include`` names them.
            public var exclude: [String]

            /// Makes a filter from the hosts to meter and the hosts to leave out.
            public init(include: [String] = [], exclude: [String] = []) {
                self.include = include
                self.exclude = exclude
            }
        }

        /// Whether kept bodies keep their secrets as sent; if not, asterisks replace them.
        public var keepsSecretsInBodies = false
        /// How much of each body to keep.
        ///
        /// Later versions may have more choices.
        public struct Bodies: Sendable, Hashable {
            let limit: Int

            /// Keeps none; bodies are measured, and a digest shows which are equal.
            public static let none = Bodies(limit: 0)
            /// Keeps the first bytes of each body, as sent over the wire.
            public static func first(bytes: Int) -> Bodies { Bodies(limit: max(0, bytes)) }
        }

        /// How long rows are kept.
        ///
        /// Totals are never removed.
        public struct Retention: Sendable, Hashable {
            /// The age in seconds at which the rows of an exchange are removed; nil for never.
            public var seconds: Int64?
            /// The size of the file beyond which the oldest rows are removed; nil for no limit.
            public var size: ByteCount?

            /// Keeps rows for a number of seconds and up to a size of the file.
            public init(seconds: Int64? = nil, size: ByteCount? = nil) {
                self.seconds = seconds
                self.size = size
            }

            var policy: RetentionPolicy {
                let nanoseconds = seconds.map { seconds in
                    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
                    return overflow ? Int64.max : product
                }
                return RetentionPolicy(maxAge: nanoseconds, maxSize: size?.bytes)
            }
        }

        /// A way to watch a process.
        ///
        /// Later versions may have more observers.
        public struct Observer: Sendable, Hashable, CaseIterable, CustomStringConvertible {
            /// Watches everything that goes through libcurl: on Linux every URLSession, and C code that calls libcurl.
            ///
            /// Sizes are `captured`. There is no such observer on Apple platforms.
            public static let libcurl = Observer("libcurl")
            /// Watches all connections that the process opens or accepts, whatever its HTTP library: what goes through
            /// libcurl as ``libcurl`` does, and the others at the functions of sockets, OpenSSL, GnuTLS and Swift's NIOSSL.
            ///
            /// Sizes are `captured`. What the process serves is metered, too, and never added to what it calls. To see
            /// inside NIOSSL's TLS, start the monitor before anything starts a thread, as the first line of `main`;
            /// the executable must have its symbols. NIOSSL's functions stay hooked after that, and do what they did. There
            /// is no such observer on Apple platforms.
            public static let streams = Observer("streams")
            /// Takes the system's report on each task, for sessions with a delegate of
            /// ``TrafficMonitor/delegate(wrapping:)``.
            ///
            /// Sizes are `reported`. On Linux, Foundation collects no task metrics.
            public static let taskMetrics = Observer("taskMetrics")
            /// Sends the requests of `URLSession.shared` and of metered configurations with a session of ours.
            ///
            /// Sizes are `reconstructed`. On Linux, downloads and uploads are not metered.
            public static let urlProtocol = Observer("urlProtocol")

            /// All observers.
            public static let allCases: [Observer] = [.libcurl, .streams, .taskMetrics, .urlProtocol]

            /// The name in this API.
            public let description: String

            private init(_ name: String) { description = name }

            /// The default observers of a platform: the tap on Linux, task metrics elsewhere.
            public static var usual: Set<Observer> {
                #if canImport(ObjectiveC)
                    [.taskMetrics]
                #else
                    [.libcurl]
                #endif
            }
        }

        /// What the observers of URLSession do in addition to metering.
        public struct Sessions: Sendable, Hashable {
            /// Header fields that ``Observer/urlProtocol`` adds to requests that do not set them.
            public var headers: [String: String]
            /// Whether sessions that other code makes are metered, too; only on Apple platforms.
            public var includesEverySession: Bool
            /// Whether protocol classes of other code keep their place in sessions that ``Observer/urlProtocol`` meters.
            ///
            /// They then load the requests that they want, which are not metered. `false` takes them out of those
            /// sessions, so that all requests go over the network and are metered. It does not reach classes that
            /// `URLProtocol.registerClass` gives to `URLSession.shared` after the start.
            public var keepsOtherProtocolClasses: Bool

            /// Adds header fields to requests, and meters sessions of other code if requested.
            public init(
                headers: [String: String] = [:], includesEverySession: Bool = false,
                keepsOtherProtocolClasses: Bool = true
            ) {
                self.headers = headers
                self.includesEverySession = includesEverySession
                self.keepsOtherProtocolClasses = keepsOtherProtocolClasses
            }
        }

        /// The path of the SQLite file, which is made if it does not exist; several runs may share it.
        public var store: String
        /// The observers to start.
        public var observers = Observer.usual
        /// What the observers of URLSession do in addition to metering.
        public var sessions = Sessions()
        /// What is metered: the service, its version, where it runs; the store keeps it with the exchanges.
        ///
        /// `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` complete it; so does what is known of the machine. The carrier is
        /// that of the start, see ``TrafficMonitor/setCarrier(_:)``.
        public var resource = TrafficResource()
        /// Which hosts to meter.
        public var hosts = Hosts()
        /// Your own URL templates, such as `/shops/{shop}/items/{item}`; the first match names the path's API.
        ///
        /// `{name}` matches one or more characters of a segment; `{name...}` at the end matches the rest of the path.
        public var templates: [String] = []
        /// The most templates that a host may have; further paths are counted together as `(other paths)`.
        public var templatesPerHost = 1_000
        /// Names of header fields and query items whose values are replaced, in addition to those that always are.
        public var additionalSecrets: [String] = []
        /// Keeps the rows of one in this many exchanges; the totals count all exchanges.
        public var keepRowsOfOneIn = 1
        /// How much of each body to keep; nothing by default.
        public var bodies = Bodies.none
        /// Whether bodies get digests, which show which bodies are equal.
        ///
        /// Without digests, large bodies cost the program less, but the audit finds no responses that came again and no
        /// body that changed on its way, unless the server says so by a status of 304. Sizes stay exact. Only
        /// ``Observer/libcurl`` and ``Observer/streams`` compute digests.
        public var digestsBodies = true
        /// How long rows are kept; by default without a limit.
        public var retention = Retention()
        /// Whether the store's search index is made while the store is written, so that searches for a text are fast from
        /// the first one on.
        ///
        /// It takes 8 bytes for each exchange, and is made on a thread in the background. Without this, the
        /// command or the inspector makes the index when a store of 100,000 exchanges or more is first searched.
        public var keepsSearchIndex = false
        /// The most events that may wait for the disk; further ones are dropped and counted as dropped.
        public var bufferedEvents = 100_000

        /// Makes a configuration with the default settings and a file to store in.
        ///
        /// - Parameter store: the file's path; by default `traffic.db` in the current folder. If the current folder is
        ///   `/` or cannot be written, as a daemon's, the default is a file in the folder for state: `STATE_DIRECTORY`,
        ///   `XDG_STATE_HOME` or `~/.local/state`. A line on standard error says so.
        public init(store: String = "traffic.db") {
            self.store = store
        }
    }
}
