import TrafficModel

/// The usual body of a URL, and other bodies that replaced it for a while.
///
/// A new version on the server stays. A body between two equal ones was probably made on the way.
struct BodyHistory {
    /// A response that differs from those before it.
    struct Stray {
        let exchange: StoredExchange.ID
        /// By how many bytes its body is longer than the usual one.
        let growth: Int64
        /// Whether its header names differ from those of the usual response.
        let hasOtherNames: Bool
    }

    // Enough for a page that exists in a few forms. Of a page that always changes, no form comes again.
    private static let mostFormer = 4
    private var digest: UInt64
    private var version: Version
    private var bytes: Int64
    private var fieldNames: UInt64
    private var times = 1
    /// Bodies that were usual before, as digests.
    private var former: [UInt64] = []
    private var strays: [Stray] = []

    /// Two responses are comparable if this is equal: the same request, and no sign from the server that they differ.
    private struct Version: Equatable {
        let asked: Int64
        let coding: String
        let lastModified: UInt64
    }

    /// Starts a history with a response; nil if it has no complete body, or if it names its version by an ETag.
    init?(_ exchange: StoredExchange, _ head: HeadFacts) {
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

    /// Adds the next response of the same URL.
    ///
    /// - Parameters:
    ///   - next: a history that starts with that response.
    ///   - exchange: the exchange of that response.
    ///   - limits: how often a body must have come to be the usual one.
    /// - Returns: the differing responses in between, if the usual body has come back.
    mutating func goOn(_ next: BodyHistory, _ exchange: StoredExchange.ID, _ limits: Audit.Limits) -> [Stray] {
        guard next.version == version else {
            self = next
            return []
        }
        if next.digest == digest {
            defer { strays = [] }
            times += 1
            return strays
        }
        // A server with several bodies alternates between them; a body that comes more often than this is the server's,
        // too.
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
