import TrafficModel

/// Runs all rules over the exchanges, in one pass.
struct AuditExamination {
    private struct API: Hashable {
        var method: String
        var host: String
        var template: String
    }

    private let limits: Audit.Limits
    private let direction: TrafficDirection
    private let bodies: KeptBodies
    private let totals: [API: Int64]
    private let mainSite: String?
    private var rules: [any AuditRule]
    private var ledgers: [AuditLedger]
    private var memory: RequestMemory
    private var pools: ConnectionPools
    private var apiNumbers: [API: Int] = [:]
    private var apis: [AuditSubject] = []
    private var apiHosts: [Int] = []
    private var hostNumbers: [String: Int] = [:]
    private var hosts: [AuditSubject] = []
    private var nameNumbers: [String: Int] = [:]
    private var names: [AuditSubject] = []
    /// The number of each host's name without port, by the host's number.
    private var hostNames: [Int] = []
    /// The number of exchanges examined.
    private(set) var seen = 0
    /// When the first of them started.
    private(set) var first: Timestamp?
    /// When the last of them started.
    private(set) var last: Timestamp?

    /// Creates an examination of the exchanges of a direction in a store with those totals by API.
    init(
        _ store: any TrafficBrowsing, _ direction: TrafficDirection, _ totals: [TrafficTotal], _ limits: Audit.Limits
    ) {
        self.limits = limits
        self.direction = direction
        bodies = KeptBodies(store, limits)
        var calls: [API: Int64] = [:]
        var sites: [String: Int64] = [:]
        var siteOfHost: [String: String] = [:]
        for total in totals {
            let host = total.key.host ?? ""
            calls[
                API(method: total.key.method ?? "", host: host, template: total.key.template ?? ""), default: 0
            ] += total.requests
            let site = siteOfHost[host] ?? Site.of(host)
            siteOfHost[host] = site
            sites[site, default: 0] += total.requests
        }
        self.totals = calls
        mainSite = sites.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        rules = Audit.rules(for: direction).map { $0.init(limits) }
        ledgers = rules.map { _ in AuditLedger(evidenceLimit: limits.evidence) }
        memory = RequestMemory(limits)
        pools = ConnectionPools(limits)
    }

    /// Passes an exchange to all rules; the oldest must come first.
    mutating func see(_ exchange: StoredExchange) {
        let request = exchange.request
        let api = number(of: request)
        let host = apiHosts[api]
        let requestHead = HeadFacts(request.fields)
        let responseHead = HeadFacts(exchange.response?.fields ?? FieldSection())
        let recalled = memory.recall(exchange, api: api, requestHead, responseHead)
        let audited = AuditedExchange(
            exchange: exchange, api: api, host: host, name: hostNames[host], isThirdParty: hosts[host].isThirdParty,
            requestHead: requestHead, responseHead: responseHead, earlier: recalled.earlier,
            isUnchanged: recalled.isUnchanged, returned: recalled.returned, opening: pools.take(exchange),
            bodies: bodies)
        apis[api].add(audited)
        hosts[host].add(audited)
        names[hostNames[host]].add(audited)
        for index in rules.indices { rules[index].see(audited, &ledgers[index]) }
        seen += 1
        first = first ?? request.startedAt
        last = request.startedAt
    }

    /// The findings of all rules, in no particular order.
    func findings() -> [AuditFinding] {
        zip(rules, ledgers).flatMap { rule, ledger in
            ledger.tallies.compactMap { id, tally in
                let subject =
                    switch id {
                    case .api(let number): apis[number]
                    case .host(let number): hosts[number]
                    case .name(let number): names[number]
                    }
                return rule.verdict(tally, subject).flatMap {
                    finding(type(of: rule).name, $0, tally, subject)
                }
            }
        }
    }

    private func finding(
        _ rule: String, _ verdict: AuditVerdict, _ tally: AuditTally, _ subject: AuditSubject
    ) -> AuditFinding? {
        let calls = max(subject.calls, Int64(subject.seen))
        let scale = Double(calls) / Double(max(1, subject.seen))
        let bytes = Int64(clamping: (Double(verdict.bytes) * scale).rounded())
        let nanoseconds = Int64(clamping: (Double(verdict.nanoseconds) * scale).rounded())
        guard verdict.isAlarm || bytes >= limits.leastBytes || nanoseconds >= limits.leastTime else { return nil }
        return AuditFinding(
            rule: rule, key: subject.key, isAlarm: verdict.isAlarm, problemSaid: verdict.problem,
            remedySaid: verdict.remedy, bytes: bytes, nanoseconds: nanoseconds, calls: calls,
            examinedCalls: subject.seen, affectedCalls: tally.calls, basis: verdict.basis, sourceSaid: verdict.source,
            evidence: tally.evidence.map(\.exchange))
    }

    private mutating func number(of request: RequestRecord) -> Int {
        let api = API(method: request.method, host: request.authority, template: request.template)
        if let known = apiNumbers[api] { return known }
        let host = number(ofHost: api.host)
        let number = apis.count
        apiNumbers[api] = number
        apiHosts.append(host)
        apis.append(
            AuditSubject(
                key: TrafficTotal.Key(
                    method: api.method, host: api.host, template: api.template, direction: direction),
                number: number,
                calls: totals[api] ?? 0, isThirdParty: hosts[host].isThirdParty))
        return number
    }

    private mutating func number(ofHost host: String) -> Int {
        if let known = hostNumbers[host] { return known }
        let number = hosts.count
        hostNumbers[host] = number
        let calls = totals.reduce(0) { $1.key.host == host ? $0 + $1.value : $0 }
        hosts.append(
            AuditSubject(
                key: TrafficTotal.Key(host: host, direction: direction), calls: calls,
                isThirdParty: mainSite.map { $0 != Site.of(host) } ?? false))
        hostNames.append(self.number(ofName: Site.name(of: host)))
        return number
    }

    private mutating func number(ofName name: String) -> Int {
        if let known = nameNumbers[name] { return known }
        let number = names.count
        nameNumbers[name] = number
        let calls = totals.reduce(0) { Site.name(of: $1.key.host) == name ? $0 + $1.value : $0 }
        names.append(AuditSubject(key: TrafficTotal.Key(host: name, direction: direction), calls: calls))
        return number
    }
}

extension AuditSubject {
    fileprivate mutating func add(_ audited: borrowing AuditedExchange) {
        seen += 1
        bytes += audited.bytes
        nanoseconds += audited.nanoseconds
    }
}
