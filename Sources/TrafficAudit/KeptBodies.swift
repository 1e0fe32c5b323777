import ContentCoding
import HTTPWire
import TrafficModel

/// Reads the bodies that a store has kept, one by one, within the limits of an audit.
final class KeptBodies {
    private let store: any TrafficBrowsing
    private let limits: Audit.Limits
    private var spent: Int64 = 0
    private var asked: [Int: (hits: Int, misses: Int)] = [:]
    private var askedForPages: [Int: (hits: Int, misses: Int)] = [:]
    private var pagesLeft: Int
    private var last: (exchange: StoredExchange.ID, page: [UInt8]?)?

    // If the first few bodies of an API were not kept, its others are not looked up: each look-up reads the file.
    private static let patience = 3

    init(_ store: any TrafficBrowsing, _ limits: Audit.Limits) {
        self.store = store
        self.limits = limits
        pagesLeft = limits.readPages
    }

    /// The size of a response's body in gzip; nil if it was not kept whole, or if the limit is used up.
    func gzippedResponse(of audited: borrowing AuditedExchange) -> Int64? {
        gzipped(audited.exchange, api: audited.api, size: audited.exchange.response?.size.body) {
            $0.response?.capturedBody
        }
    }

    /// The size of a request's body in gzip; nil if it was not kept whole, or if the limit is used up.
    func gzippedRequest(of audited: borrowing AuditedExchange) -> Int64? {
        gzipped(audited.exchange, api: audited.api, size: audited.exchange.request.size.body) {
            $0.request.capturedBody
        }
    }

    /// A response's body with its content coding undone; nil if it was not kept whole, or if the limit is used up.
    ///
    /// Only the codings of zlib are undone.
    func page(of audited: borrowing AuditedExchange) -> [UInt8]? {
        let exchange = audited.exchange
        if let last, last.exchange == exchange.id { return last.page }
        let page = readPage(exchange, api: audited.api)
        last = (exchange.id, page)
        return page
    }

    private func readPage(_ exchange: StoredExchange, api: Int) -> [UInt8]? {
        guard let size = exchange.response?.size.body.bytes.bytes, size > 0, size <= limits.readPage,
            pagesLeft > 0
        else { return nil }
        let count = askedForPages[api] ?? (0, 0)
        guard count.hits > 0 || count.misses < Self.patience else { return nil }
        pagesLeft -= 1
        let kept =
            exchange.response?.capturedBody
            ?? (try? store.exchange(exchange.id))?.response?.capturedBody
        guard let kept, Int64(kept.count) == size, let page = decoded(kept, exchange.response?.contentEncoding ?? "")
        else {
            askedForPages[api] = (count.hits, count.misses + 1)
            return nil
        }
        askedForPages[api] = (count.hits + 1, count.misses)
        return page
    }

    private func decoded(_ body: [UInt8], _ coding: String) -> [UInt8]? {
        if coding.isEmpty { return body }
        guard let coding = CompressedCoding(fieldValue: coding),
            let content = ZlibContent(of: body, coding: coding, limit: Int(4 * limits.readPage))
        else { return nil }
        return content.bytes
    }

    private func gzipped(
        _ exchange: StoredExchange, api: Int, size: WireSize.Part?, _ body: (StoredExchange) -> [UInt8]?
    ) -> Int64? {
        guard let size, spent + size.bytes.bytes <= limits.compressedBytes else { return nil }
        var count = asked[api] ?? (0, 0)
        guard count.hits < limits.compressedBodies, count.hits > 0 || count.misses < Self.patience else { return nil }
        defer { asked[api] = count }
        let kept = body(exchange) ?? (try? store.exchange(exchange.id)).flatMap(body)
        guard let kept, Int64(kept.count) == size.bytes.bytes,
            // The level that servers use; a higher one gains one percent.
            let compressor = ZlibCompressor(coding: .gzip, level: 6)
        else {
            count.misses += 1
            return nil
        }
        kept.withUnsafeBytes { compressor.add($0) }
        let compressed = compressor.finish()
        guard compressed >= 0 else { return nil }
        count.hits += 1
        spent += size.bytes.bytes
        return compressed
    }
}
