import TrafficModel

/// The scripts of pages, URL by URL.
struct PageMemory {
    /// What was put down for a page.
    struct Claim {
        let exchange: ExchangeID
        let api: Int
        let bytes: Int64
        let kind: String
        /// The sites of the scripts that were added.
        let sites: Set<String>
    }

    /// How a page compares with those that the same URL answered with before.
    enum Comparison {
        case usual
        /// It has scripts that were not there: the other sites that they come from, and its growth.
        case added(sites: Set<String>, bytes: Int64)
        /// What was added before has come too often to be strange: what was put down for it.
        case settled([Claim])
    }

    private struct Key: Hashable {
        let api: Int
        let path: String
        let query: String?
    }

    private struct Page {
        var times = 1
        var count: Int
        /// Whether there were as many scripts each time.
        var isSteady = true
        var sites: Set<String>
        var bytes: Int64
        /// How often an addition came.
        var added = 0
        /// How often additions proved to be the page's own.
        var changes = 0
        var claims: [Claim] = []
    }

    // The size of a site that is asked again and again; each takes a few hundred bytes.
    private static let mostPages = 2_000
    private var pages: [Key: Page] = [:]
    private let limits: Audit.Limits

    /// An empty memory.
    init(_ limits: Audit.Limits) { self.limits = limits }

    /// Compares a page with those before it, and remembers it.
    mutating func see(_ scripts: PageScripts, _ sighting: borrowing Sighting) -> Comparison {
        let key = Self.key(of: sighting)
        let bytes = sighting.exchange.response?.size.body.bytes.bytes ?? 0
        guard var page = pages[key] else {
            if pages.count >= Self.mostPages { pages.removeAll(keepingCapacity: true) }
            pages[key] = Page(count: scripts.count, sites: scripts.sites, bytes: bytes)
            return .usual
        }
        defer { pages[key] = page }
        page.times += 1
        let new = scripts.sites.subtracting(page.sites)
        // A page that changes and changes has scripts of many sites.
        let isKnown = new.isEmpty || page.changes >= limits.confirmedTags
        guard !isKnown || page.isSteady && scripts.count > page.count else {
            if scripts.count != page.count { page.isSteady = false }
            page.bytes = bytes
            return .usual
        }
        page.added += 1
        // Two pages are the least to compare with; what comes often is the page's own.
        let most = max(1, Int(limits.strangeShare * Double(page.times)))
        guard page.times > limits.confirmedTags, page.added <= most else {
            let claims = page.claims.filter { $0.sites.isSubset(of: scripts.sites) }
            let others = page.claims.filter { !$0.sites.isSubset(of: scripts.sites) }
            page = Page(
                times: page.times, count: scripts.count, isSteady: page.isSteady && scripts.count == page.count,
                sites: page.sites.union(scripts.sites), bytes: bytes, added: others.count,
                changes: page.changes + 1, claims: others)
            return .settled(claims)
        }
        return .added(sites: page.changes < limits.confirmedTags ? new : [], bytes: max(0, bytes - page.bytes))
    }

    /// Keeps what was put down for the page that was seen last, to take it back if it proves to be usual.
    mutating func keep(_ claim: Claim, _ sighting: borrowing Sighting) {
        pages[Self.key(of: sighting)]?.claims.append(claim)
    }

    private static func key(of sighting: borrowing Sighting) -> Key {
        let request = sighting.exchange.request
        return Key(api: sighting.api, path: request.path, query: request.query)
    }
}
