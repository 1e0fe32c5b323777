import Foundation
import TestSupport
import TrafficModel

@testable import TrafficAudit

/// A store of exchanges in memory; its totals are their sums.
///
/// - Parameters:
///   - exchanges: in their order.
///   - thinning: how many times as often each API was called as rows are kept.
/// - Returns: the store.
func auditStore(_ exchanges: [Exchange], thinning: Int64 = 1) -> FakeStore {
    var totals: [TrafficTotal.Key: TrafficTotal] = [:]
    for request in exchanges.map(\.request) {
        let key = TrafficTotal.Key(
            method: request.method, host: request.host, template: request.template, direction: request.direction)
        totals[key, default: TrafficTotal(key: key)].requests += thinning
    }
    return FakeStore(groups: [.api: Array(totals.values)], exchanges: exchanges)
}

/// When the traffic of these tests begins.
private let epoch: Int64 = 1_795_255_200_000_000_000

/// One exchange; what is not said is as it should be.
///
/// Sizes of headers are those of the lines, unless they are given.
func call(
    _ number: Int64, at seconds: Double = 0, _ method: String = "GET", _ url: String = "http://api.test/items",
    template: String? = nil, status: Int? = 200, type: String = "application/json", coding: String = "",
    body: Int64 = 0, decoded: Int64? = nil, digest: UInt64? = nil, framing: Int64 = 0, kept: [UInt8]? = nil,
    sent: [String] = [], got: [String] = [], sentFields: Int64? = nil, sentCookies: Int64 = 0, gotCookies: Int64 = 0,
    upload: Int64 = 0, keptUpload: [UInt8]? = nil, outcome: ExchangeEnd.Outcome = .completed,
    milliseconds: Int64 = 10, timings: ExchangeTimings = ExchangeTimings(), opened: Bool = false, resendCount: Int = 0,
    version: String = "1.1", evidence: Evidence = .captured, peer: String? = nil
) -> Exchange {
    let id = ExchangeID(number)
    let components = URLComponents(string: url)
    let start = Timestamp(nanoseconds: epoch + Int64(seconds * 1e9))
    let end = Timestamp(nanoseconds: start.nanoseconds + milliseconds * 1_000_000)
    let scheme = components?.scheme ?? "http"
    let port = components?.port ?? (scheme == "https" ? 443 : 80)
    let path = components?.percentEncodedPath ?? ""
    func section(_ lines: [String]) -> FieldSection { FieldSection(bytes: Array(lines.joined(separator: "\r\n").utf8)) }
    func size(_ lines: [String]) -> Int64 { Int64(lines.reduce(2) { $0 + $1.utf8.count + 2 }) }
    func part(_ bytes: Int64) -> WireSize.Part { WireSize.Part(ByteCount(bytes), evidence) }
    var timings = timings
    timings.total = milliseconds * 1_000_000
    var exchange = Exchange(
        request: RequestRecord(
            exchange: id, task: id, resendCount: resendCount, process: ProcessIdentity(pid: 7, name: "app"),
            startedAt: start,
            method: method, scheme: scheme, host: components?.host ?? "",
            port: port, path: path,
            query: components?.percentEncodedQuery, template: template ?? path, httpVersion: version,
            fields: section(sent),
            size: WireSize(
                startLine: part(30), fields: part(sentFields ?? size(sent)), cookies: part(sentCookies),
                body: part(upload)),
            bodyDigest: upload > 0 ? UInt64(upload) : nil, capturedBody: keptUpload),
        end: ExchangeEnd(
            exchange: id, endedAt: end, outcome: outcome, timings: timings, connection: ConnectionID(1),
            reusedConnection: !opened, remoteAddress: peer ?? "10.0.0.1:\(port)"))
    if let status {
        exchange.response = ResponseRecord(
            exchange: id, firstByteAt: start, status: status, reason: "", httpVersion: version, fields: section(got),
            size: WireSize(
                startLine: part(17), fields: part(size(got)), cookies: part(gotCookies), body: part(body),
                framing: part(framing)),
            decodedBody: decoded.map { part($0) } ?? .unknown, contentType: type, contentEncoding: coding,
            bodyDigest: body > 0 ? digest ?? UInt64(number) &* 0x9E37_79B9 : nil, capturedBody: kept)
    }
    return exchange
}

/// Limits that let through whatever a rule finds.
func everything(_ change: (inout Audit.Limits) -> Void = { _ in }) -> Audit.Limits {
    var limits = Audit.Limits()
    limits.leastBytes = 0
    limits.leastTime = 0
    change(&limits)
    return limits
}

/// What one rule finds in exchanges.
func findings(
    _ rule: String, in exchanges: [Exchange], thinning: Int64 = 1, _ limits: Audit.Limits = everything()
) throws -> [AuditFinding] {
    try Audit(of: auditStore(exchanges, thinning: thinning), limits: limits).findings.filter {
        $0.rule == rule
    }
}
