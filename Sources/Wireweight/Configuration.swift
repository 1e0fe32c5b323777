internal import TrafficStore

extension TrafficMonitor {
    /// Where to store, what to meter, what to keep.
    public struct Configuration: Sendable, Hashable {
        /// Which hosts to meter.
        public struct Hosts: Sendable, Hashable {
            /// Only these; all where it is empty.
            ///
            /// `*.example.com` stands for every host below it; `127.0.0.1:8080` names a port, too.
            public var include: [String]
            /// Not these.
            public var exclude: [String]

            /// Hosts to meter and hosts not to.
            public init(include: [String] = [], exclude: [String] = []) {
                self.include = include
                self.exclude = exclude
            }
        }

        /// Whether secrets in bodies that are kept stay as they were sent; else they are covered by asterisks.
        public var keepsSecretsInBodies = false
        /// Which bodies to keep.
        public enum Bodies: Sendable, Hashable {
            /// None; they are weighed, and a digest tells which are the same.
            case none
            /// The first bytes of each, as they went over the wire.
            case first(bytes: Int)

            var limit: Int {
                switch self {
                case .none: 0
                case .first(let bytes): max(0, bytes)
                }
            }
        }

        /// How long rows are kept.
        ///
        /// Totals are kept for good.
        public struct Retention: Sendable, Hashable {
            /// Seconds after which the rows of an exchange go; nil for never.
            public var seconds: Int64?
            /// Size of the file beyond which the oldest rows go; nil for no limit.
            public var size: ByteCount?

            /// Rows kept for so long and up to that size.
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

        /// What can watch a process.
        public enum Observer: Sendable, Hashable, CaseIterable {
            /// All that goes through libcurl: on Linux every URLSession, and any C code beside it.
            ///
            /// Sizes are `captured`. There is no such observer on Apple platforms.
            case libcurl
            /// What the system reports of each task, for sessions with a delegate of
            /// ``TrafficMonitor/delegate(wrapping:)``.
            ///
            /// Sizes are `reported`. The system collects nothing on Linux.
            case taskMetrics
            /// Requests of `URLSession.shared` and of metered configurations, sent on by a session of ours.
            ///
            /// Sizes are `reconstructed`. On Linux downloads and uploads are left alone.
            case urlProtocol

            /// Those that a platform has without being asked for more: the tap on Linux, task metrics elsewhere.
            public static var usual: Set<Observer> {
                #if canImport(ObjectiveC)
                    [.taskMetrics]
                #else
                    [.libcurl]
                #endif
            }
        }

        /// What the observers of URLSession do beside metering.
        public struct Sessions: Sendable, Hashable {
            /// Fields for every request that ``Observer/urlProtocol`` sends on and that does not set them itself.
            public var headers: [String: String]
            /// Whether sessions that other code makes are metered, too; on Apple platforms.
            public var includesEverySession: Bool

            /// Those header fields, and whether to reach into sessions of other code.
            public init(headers: [String: String] = [:], includesEverySession: Bool = false) {
                self.headers = headers
                self.includesEverySession = includesEverySession
            }
        }

        /// The file, made if there is none; several runs may share it.
        public var store: String
        /// Who watches.
        public var observers = Observer.usual
        /// What the observers of URLSession do beside metering.
        public var sessions = Sessions()
        /// Which hosts to meter.
        public var hosts = Hosts()
        /// Templates of your own, such as `/shops/{shop}/items/{item}`; the first that fits a path names its API.
        ///
        /// `{name}` stands for one or more characters of a segment, `{name...}` at the end for all that follows.
        public var templates: [String] = []
        /// How many templates a host may have; further paths are counted together as `(other paths)`.
        public var templatesPerHost = 1_000
        /// Names of header fields and query items whose values are replaced, beside those that always are.
        public var additionalSecrets: [String] = []
        /// Of how many exchanges one keeps its rows; the totals count all.
        public var keepRowsOfOneIn = 1
        /// Which bodies to keep.
        public var bodies = Bodies.none
        /// How long rows are kept.
        public var retention = Retention()
        /// How many events may wait for the disk before they are dropped, and counted as such.
        public var bufferedEvents = 100_000

        /// A configuration that stores in that file and is otherwise the usual one.
        ///
        /// - Parameter store: the file's path; `traffic.db` in the current folder unless told otherwise.
        public init(store: String = "traffic.db") {
            self.store = store
        }
    }
}
