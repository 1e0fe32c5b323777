/// What a process can meter, proven by requests of its own: what ``TrafficMonitor/selfTest()`` returns.
public struct SelfTest: Sendable, Hashable {
    /// Each style in which a program makes requests, and what came of it.
    public let checks: [Check]
    /// The libcurls that are loaded in this process.
    public let libraries: [Libcurl]
    /// What is exact, what is estimated, and what is not seen.
    public let capabilities: [Capability]

    package init(checks: [Check], libraries: [Libcurl], capabilities: [Capability]) {
        self.checks = checks
        self.libraries = libraries
        self.capabilities = capabilities
    }

    /// Whether every style that should be metered is metered exactly; a style that cannot be tried here does not count.
    public var isPassed: Bool { !checks.contains { $0.verdict.isFailure } }
}

extension SelfTest {
    /// A way in which programs make requests.
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
        /// `uploadTask(withStreamedRequest:)`: chunked, after a `100 Continue`.
        case uploadStream = "upload-stream"
        /// `download(from:)`.
        case download
        /// `Data(contentsOf:)`, without a session of the program's own.
        case dataContentsOf = "data-contents-of"
        /// libcurl's easy interface, by the program `curl`; tried by `wireweight doctor` alone.
        case curlEasy = "curl-easy"
        /// libcurl's multi interface, by `curl --parallel`; tried by `wireweight doctor` alone.
        case curlMulti = "curl-multi"

        /// What a program writes to make such a request.
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

        /// The styles of URLSession.
        package static let ofURLSession = allCases.filter { $0 != .curlEasy && $0 != .curlMulti }
    }

    /// Requests and their bytes, as somebody has counted them.
    public struct Count: Sendable, Hashable {
        /// How many exchanges.
        public var exchanges: Int
        /// Bytes of all requests.
        public var up: ByteCount
        /// Bytes of all responses.
        public var down: ByteCount

        package init(exchanges: Int = 0, up: ByteCount = .zero, down: ByteCount = .zero) {
            self.exchanges = exchanges
            self.up = up
            self.down = down
        }
    }

    /// What came of a style.
    public enum Verdict: Sendable, Hashable {
        /// What was metered is what the origin has logged, to the byte.
        case exact
        /// Something else was metered.
        case off(reason: String)
        /// The requests were made, and the meter did not see them, or could not even look.
        case notMetered(reason: String)
        /// The style cannot be tried here; that says nothing about the meter.
        case cannotRun(reason: String)

        /// Whether the meter failed.
        public var isFailure: Bool {
            switch self {
            case .exact, .cannotRun: false
            case .off, .notMetered: true
            }
        }

        /// Why it is not exact, and what to do; nil where it is.
        public var reason: String? {
            switch self {
            case .exact: nil
            case .off(let reason), .notMetered(let reason), .cannotRun(let reason): reason
            }
        }
    }

    /// One style, with what was sent and what was metered.
    public struct Check: Sendable, Hashable {
        /// The style.
        public let style: Style
        /// What an origin on this machine has logged; nil where no request came.
        public let expected: Count?
        /// What was metered; nil where nothing was.
        public let metered: Count?
        /// What comes of the two.
        public let verdict: Verdict

        package init(style: Style, expected: Count? = nil, metered: Count? = nil, verdict: Verdict) {
            self.style = style
            self.expected = expected
            self.metered = metered
            self.verdict = verdict
        }

        /// Metered less expected bytes, up and down; nil where one of the two is missing.
        public var difference: (up: Int64, down: Int64)? {
            guard let expected, let metered else { return nil }
            return (metered.up.bytes - expected.up.bytes, metered.down.bytes - expected.down.bytes)
        }
    }
}

extension SelfTest: CustomStringConvertible {
    /// A line for each style, and below it those about libcurl.
    public var description: String {
        (checks.map(\.description) + libraries.map(\.description)).joined(separator: "\n")
    }
}

extension SelfTest.Check: CustomStringConvertible {
    /// The style, what was metered of it, and why it is not exact: `data task: exact, 210 B up, 2,761 B down`.
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
