import WireweightTesting

/// One entry of the corpus: what is asked, what the origin does, who may ask, and what must come of it.
struct CorpusCase: Sendable {
    /// How the request's content is handed to the client.
    enum Body: Sendable {
        case none
        /// From memory, with a Content-Length.
        case data(Int)
        /// From a file, with a Content-Length.
        case file(Int)
        /// From a stream, in chunks.
        case stream(Int)

        var count: Int {
            switch self {
            case .none: 0
            case .data(let count), .file(let count), .stream(let count): count
            }
        }
    }

    /// Which of URLSession's ways is taken; `curl` knows no such thing.
    enum Style: Sendable {
        case async
        case completion
        case delegate
        case download
        case contentsOfURL
    }

    /// Who may drive it.
    struct Drivers: OptionSet, Sendable {
        let rawValue: Int
        static let urlSession = Drivers(rawValue: 1)
        static let curl = Drivers(rawValue: 2)
        static let both: Drivers = [.urlSession, .curl]
    }

    /// What must come of it.
    enum Outcome: Hashable, Sendable {
        /// With the final status.
        case completed(Int)
        case failed
        case cancelled
        case timedOut
    }

    /// When the client takes its request back.
    enum Cancel: Sendable {
        case afterBytes(Int)
        case afterHead
        /// So long after the origin has got the request's head.
        case afterMilliseconds(Int)
    }

    /// Where the request goes.
    enum Target: Sendable {
        case origin
        /// A port on which no server listens.
        case closedPort
    }

    let name: String
    var method = "GET"
    /// What follows the path of the case in the target.
    var suffix = ""
    var fields: [(name: String, value: String)] = []
    var body = Body.none
    var style = Style.async
    var drivers = Drivers.both
    var outcome = Outcome.completed(200)
    /// How often the request is made.
    var copies = 1
    /// Whether the copies are made at once, or one after the other in one session.
    var isConcurrent = false
    /// How many requests the origin sees of one copy: more than one with redirects and 401.
    var hops = 1
    var cancel: Cancel?
    /// The client's own limit of time.
    var timeoutMilliseconds: Int?
    /// User `user`, password `pass`.
    var hasCredential = false
    var target = Target.origin
    /// More arguments for `curl`.
    var curlArguments: [String] = []
    /// Why URLSession on Linux must not be driven through it: the process would end or hang, metered or not.
    var crashesFoundation: String?
    /// Why URLSession on Linux fails with it where `curl` does not: Foundation takes no such head.
    var foundationRejects: String?
    /// Whether the origin sends `100 Continue` to a client that waits for it.
    var answersExpect = true
    /// Whether it means the same with TLS in front of the origin.
    var worksOverTLS = true
    /// Whether it is up to timing which of two errors the client meets first.
    var hasRacingErrors = false
    /// Why not even its size can be seen over TLS, so that the row must say that it is an estimate.
    var unseenOverTLS: String?
    let script: @Sendable (OriginRequest) -> Script

    init(_ name: String, script: @escaping @Sendable (OriginRequest) -> Script) {
        self.name = name
        self.script = script
    }

    init(_ name: String, _ script: Script) { self.init(name) { _ in script } }

    /// The same case with something changed.
    func with(_ change: (inout CorpusCase) -> Void) -> CorpusCase {
        var result = self
        change(&result)
        return result
    }

    /// What must come of it in the hands of that driver.
    func outcome(for driver: Drivers) -> Outcome {
        driver == .urlSession && foundationRejects != nil ? .failed : outcome
    }

    /// Who drives it in fact.
    var effectiveDrivers: Drivers { crashesFoundation == nil ? drivers : drivers.intersection(.curl) }
}
