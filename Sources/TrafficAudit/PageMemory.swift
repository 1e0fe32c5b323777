import TrafficModel

/// Remembers the scripts of pages, by URL.
struct PageMemory {
    /// Waste that was recorded for a page.
    struct Claim {
        let exchange: StoredExchange.ID
        let api: Int
        let bytes: Int64
        let kind: String
        /// The sites of the scripts that were added.
        let sites: Set<String>
    }

    /// How a page compares with earlier pages of the same URL.
    enum Comparison {
        case usual
        /// It has scripts that were not there before: the other sites that they come from, and its growth in bytes.
        case added(sites: Set<String>, bytes: Int64)
        /// Earlier additions came too often to be suspicious; the value is the waste recorded for them.
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
        /// Whether the number of scripts was the same each time.
        var isSteady = true
        var sites: Set<String>
        var bytes: Int64
        /// The number of pages with an addition.
        var added = 0
        /// How often additions proved to be the page's own.
        var changes = 0
        var claims: [Claim] = []
    }

    // Enough for a site that is requested again and again; each page takes a few hundred bytes.
    private static let mostPages = 2_000
    private var pages: [Key: Page] = [:]
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    /// Compares a page with those before it, and remembers it.
    mutating func see(_ scripts: PageScripts, _ audited: borrowing AuditedExchange) -> Comparison {
        let key = Self.key(of: audited)
        let bytes = audited.exchange.response?.size.body.bytes.bytes ?? 0
        guard var page = pages[key] else {
            if pages.count >= Self.mostPages { pages.removeAll(keepingCapacity: true) }
            pages[key] = Page(count: scripts.count, sites: scripts.sites, bytes: bytes)
            return .usual
        }
        defer { pages[key] = page }
        page.times += 1
        let new = scripts.sites.subtracting(page.sites)
        // A page that keeps changing has scripts of many sites.
        let isKnown = new.isEmpty || page.changes >= limits.confirmedTags
        guard !isKnown || page.isSteady && scripts.count > page.count else {
            if scripts.count != page.count { page.isSteady = false }
            page.bytes = bytes
            return .usual
        }
        page.added += 1
        // A comparison needs at least two pages; an addition that comes often is the page's own.
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

    /// Keeps what was recorded for the last page, so that it can be revoked if the addition proves normal.
    mutating func keep(_ claim: Claim, _ audited: borrowing AuditedExchange) {
        pages[Self.key(of: audited)]?.claims.append(claim)
    }

    private static func key(of audited: borrowing AuditedExchange) -> Key {
        let request = audited.exchange.request
        return Key(api: audited.api, path: request.path, query: request.query)
    }
}
