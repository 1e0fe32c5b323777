import TrafficModel

/// The body that a URL goes on answering with, and those that took its place for a while.
///
/// A server's new version stays. A body that comes between two equal ones was mostly made on the way.
struct BodyHistory {
    /// An answer that differs from those before it.
    struct Stray {
        /// The exchange.
        let exchange: ExchangeID
        /// How many bytes longer its body is than the usual one.
        let growth: Int64
        /// Whether its fields have other names than those of the usual answer.
        let hasOtherNames: Bool
    }

    // Enough for a page that is made in a few forms; of one that is another each time, none comes again.
    private static let mostFormer = 4
    private var digest: UInt64
    private var version: Version
    private var bytes: Int64
    private var fieldNames: UInt64
    private var times = 1
    /// Bodies that were usual before.
    private var former: [UInt64] = []
    private var strays: [Stray] = []

    /// What makes two answers comparable: the same question, and nothing by which the server says that they differ.
    private struct Version: Equatable {
        let asked: Int64
        let coding: String
        let lastModified: UInt64
    }

    /// A history that begins with an answer; nil where it has no whole body, or names its version by an ETag.
    init?(_ exchange: Exchange, _ head: HeadFacts) {
        guard let response = exchange.response, response.status == 200, exchange.end?.outcome == .completed,
            let digest = response.bodyDigest, head.etag == nil
        else { return nil }
        self.digest = digest
        version = Version(
            asked: exchange.request.size.fields.bytes.bytes, coding: response.contentEncoding,
            lastModified: head.lastModified.map(head.hash) ?? 0)
        bytes = response.size.body.bytes.bytes
        fieldNames = head.names
    }

    /// Goes on with the next answer of the same URL.
    ///
    /// - Parameters:
    ///   - next: a history that begins with that answer.
    ///   - exchange: the answer's exchange.
    ///   - limits: how often a body must have come to be the usual one.
    /// - Returns: the answers in between, where the usual one has come back.
    mutating func goOn(_ next: BodyHistory, _ exchange: ExchangeID, _ limits: Audit.Limits) -> [Stray] {
        guard next.version == version else {
            self = next
            return []
        }
        if next.digest == digest {
            defer { strays = [] }
            times += 1
            return strays
        }
        // A server that has several goes from one to the other; what comes more often than that is its own, too.
        let most = max(1, Int(limits.strangeShare * Double(times)))
        guard times >= limits.establishedAnswers, strays.count < most, !former.contains(next.digest) else {
            let digests = former + [digest]
            self = next
            former = digests.suffix(Self.mostFormer)
            return []
        }
        strays.append(
            Stray(exchange: exchange, growth: next.bytes - bytes, hasOtherNames: next.fieldNames != fieldNames))
        return []
    }
}
