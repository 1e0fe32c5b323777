public import TrafficModel

/// The result of ``TrafficMonitor/selfTest()``: what this process can meter, proven by requests of its own.
public struct SelfTest: Sendable, Hashable {
    /// One check for each style in which a program makes requests.
    public let checks: [Check]
    /// The libcurls that are loaded in this process.
    public let libraries: [Libcurl]
    /// The kinds of traffic and programs that are metered exactly, by estimate, or not at all.
    public let capabilities: [Capability]

    package init(checks: [Check], libraries: [Libcurl], capabilities: [Capability]) {
        self.checks = checks
        self.libraries = libraries
        self.capabilities = capabilities
    }

    /// Whether every style was metered exactly; styles that cannot be tried here do not count.
    public var isPassed: Bool { !checks.contains { $0.verdict.isFailure } }
}

extension SelfTest {
    /// A way in which a program makes requests.
    ///
    /// Later versions may have more styles.
    public struct Style: RawRepresentable, Sendable, Hashable, CaseIterable {
        /// `dataTask(with:completionHandler:)`.
        public static let dataTask = Style("data-task", "data task")
        /// `data(from:)`, with `await`.
        public static let asyncData = Style("async-data", "async data(from:)")
        /// A data task whose session has a delegate.
        public static let delegate = Style("delegate", "delegate")
        /// `upload(for:from:)`.
        public static let uploadData = Style("upload-data", "upload from data")
        /// `upload(for:fromFile:)`.
        public static let uploadFile = Style("upload-file", "upload from a file")
        /// `uploadTask(withStreamedRequest:)`: sent in chunks, after a `100 Continue`.
        public static let uploadStream = Style("upload-stream", "upload from a stream")
        /// `download(from:)`.
        public static let download = Style("download", "download")
        /// `Data(contentsOf:)`, which uses no session of the program.
        public static let dataContentsOf = Style("data-contents-of", "Data(contentsOf:)")
        /// libcurl's easy interface, used by the program `curl`; only `wireweight doctor` tries it.
        public static let curlEasy = Style("curl-easy", "curl (easy)")
        /// libcurl's multi interface, used by `curl --parallel`; only `wireweight doctor` tries it.
        public static let curlMulti = Style("curl-multi", "curl --parallel (multi)")

        /// The styles that this version has.
        public static let allCases: [Style] = [
            .dataTask, .asyncData, .delegate, .uploadData, .uploadFile, .uploadStream, .download, .dataContentsOf,
            .curlEasy, .curlMulti,
        ]

        /// The name in machine formats.
        public let rawValue: String
        /// The call or command that makes such a request.
        public let title: String

        /// The style of that name; nil if this version does not have it.
        public init?(rawValue: String) {
            guard let style = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = style
        }

        private init(_ name: String, _ title: String) {
            rawValue = name
            self.title = title
        }

        /// The styles that use URLSession; the others use curl.
        package static let ofURLSession = allCases.filter { $0 != .curlEasy && $0 != .curlMulti }
    }

    /// The number of exchanges and their bytes, as counted by the origin or by the meter.
    public struct Count: Sendable, Hashable {
        /// The number of exchanges.
        public var exchanges: Int
        /// The bytes of all requests on the wire.
        public var up: ByteCount
        /// The bytes of all responses on the wire.
        public var down: ByteCount

        package init(exchanges: Int = 0, up: ByteCount = .zero, down: ByteCount = .zero) {
            self.exchanges = exchanges
            self.up = up
            self.down = down
        }
    }

    /// The result for one style.
    ///
    /// Later versions may have more verdicts.
    public struct Verdict: Sendable, Hashable {
        /// The name in machine formats: `exact`, `off`, `not-metered` or `cannot-run`.
        public let name: String
        /// Why the result is not exact, and what to do; nil if it is exact.
        public let reason: String?

        private init(_ name: String, _ reason: String? = nil) {
            self.name = name
            self.reason = reason
        }

        /// The meter counted exactly the bytes that the origin logged.
        public static let exact = Verdict("exact")
        /// The meter counted something else than the origin logged.
        public static func off(reason: String) -> Verdict { Verdict("off", reason) }
        /// The requests were made, but the meter did not see them or could not run.
        public static func notMetered(reason: String) -> Verdict { Verdict("not-metered", reason) }
        /// The style cannot be tried on this machine, which says nothing about the meter.
        public static func cannotRun(reason: String) -> Verdict { Verdict("cannot-run", reason) }

        /// Whether the style could be tried on this machine.
        public var hasRun: Bool { name != "cannot-run" }

        /// Whether the meter failed; false if the style could not be tried.
        public var isFailure: Bool { hasRun && self != .exact }
    }

    /// One style with its expected and metered bytes.
    public struct Check: Sendable, Hashable {
        /// The style in which the requests were made.
        public let style: Style
        /// The bytes that an origin on this machine logged; nil if no request came.
        public let expected: Count?
        /// The bytes that were metered; nil if no exchange was metered.
        public let metered: Count?
        /// The result of comparing the two.
        public let verdict: Verdict

        package init(style: Style, expected: Count? = nil, metered: Count? = nil, verdict: Verdict) {
            self.style = style
            self.expected = expected
            self.metered = metered
            self.verdict = verdict
        }

        /// Metered minus expected bytes, up and down; nil if one of the two is missing.
        public var difference: (up: Int64, down: Int64)? {
            guard let expected, let metered else { return nil }
            return (metered.up.bytes - expected.up.bytes, metered.down.bytes - expected.down.bytes)
        }
    }
}

extension SelfTest: CustomStringConvertible {
    /// One line for each style, followed by one for each libcurl.
    public var description: String {
        (checks.map(\.description) + libraries.map(\.description)).joined(separator: "\n")
    }
}

extension SelfTest.Check: CustomStringConvertible {
    /// The style, its bytes, and the reason if it is not exact: `data task: exact, 210 B up, 2,761 B down`.
    public var description: String {
        let bytes = metered.map { ", \($0.up.bytes) B up, \($0.down.bytes) B down" } ?? ""
        let reason = verdict.reason.map { ": \($0)" } ?? ""
        return switch verdict.name {
        case "not-metered": "\(style.title): not metered\(reason)"
        case "cannot-run": "\(style.title): cannot be tried here\(reason)"
        default: "\(style.title): \(verdict.name)\(bytes)\(reason)"
        }
    }
}
