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
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// `dataTask(with:completionHandler:)`.
        case dataTask = "data-task"
        /// `data(from:)`, with `await`.
        case asyncData = "async-data"
        /// A data task whose session has a delegate.
        case delegate
        /// `upload(for:from:)`.
        case uploadData = "upload-data"
        /// `upload(for:fromFile:)`.
        case uploadFile = "upload-file"
        /// `uploadTask(withStreamedRequest:)`: sent in chunks, after a `100 Continue`.
        case uploadStream = "upload-stream"
        /// `download(from:)`.
        case download
        /// `Data(contentsOf:)`, which uses no session of the program.
        case dataContentsOf = "data-contents-of"
        /// libcurl's easy interface, used by the program `curl`; only `wireweight doctor` tries it.
        case curlEasy = "curl-easy"
        /// libcurl's multi interface, used by `curl --parallel`; only `wireweight doctor` tries it.
        case curlMulti = "curl-multi"

        /// The call or command that makes such a request.
        public var title: String {
            switch self {
            case .dataTask: "data task"
            case .asyncData: "async data(from:)"
            case .delegate: "delegate"
            case .uploadData: "upload from data"
            case .uploadFile: "upload from a file"
            case .uploadStream: "upload from a stream"
            case .download: "download"
            case .dataContentsOf: "Data(contentsOf:)"
            case .curlEasy: "curl (easy)"
            case .curlMulti: "curl --parallel (multi)"
            }
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
    public enum Verdict: Sendable, Hashable {
        /// The meter counted exactly the bytes that the origin logged.
        case exact
        /// The meter counted something else than the origin logged.
        case off(reason: String)
        /// The requests were made, but the meter did not see them or could not run.
        case notMetered(reason: String)
        /// The style cannot be tried on this machine, which says nothing about the meter.
        case cannotRun(reason: String)

        /// Whether the meter failed; false if the style could not be tried.
        public var isFailure: Bool {
            switch self {
            case .exact, .cannotRun: false
            case .off, .notMetered: true
            }
        }

        /// Why the result is not exact, and what to do; nil if it is exact.
        public var reason: String? {
            switch self {
            case .exact: nil
            case .off(let reason), .notMetered(let reason), .cannotRun(let reason): reason
            }
        }
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
        switch verdict {
        case .exact: return "\(style.title): exact\(bytes)"
        case .off(let reason): return "\(style.title): off\(bytes): \(reason)"
        case .notMetered(let reason): return "\(style.title): not metered: \(reason)"
        case .cannotRun(let reason): return "\(style.title): cannot be tried here: \(reason)"
        }
    }
}
