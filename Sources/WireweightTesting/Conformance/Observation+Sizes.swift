import TrafficModel
import TrafficOrigin

// Checks of sizes. Each returns one sentence for each fault.

extension Observation {
    /// Sizes that differ from the origin's log by more than their evidence allows.
    ///
    /// - Parameter bound: the bytes by which each part of a reconstructed size may be off.
    /// - Returns: one sentence for each fault.
    func sizeFaults(_ bound: MessageBytes) -> [String] {
        reported.flatMap { exchange -> [String] in
            guard let truth = truth(of: exchange) else { return [] }
            let path = exchange.request.path
            var faults = exchange.request.size.differences(from: truth.request, within: bound).map {
                "the request of '\(path)': \($0)"
            }
            if let response = exchange.response {
                // A client that left early received only the first bytes of the response.
                let known = Int(clamping: response.size.known.bytes)
                let whole = exchange.isCompleted || known >= truth.response.total
                faults += response.size.differences(
                    from: whole ? truth.response : truth.response(upTo: known), within: bound
                ).map { "the response of '\(path)': \($0)" }
            }
            return faults
        }
    }

    var contentFaults: [String] {
        scenario.steps.flatMap { step -> [String] in
            guard let response = reported(at: "/\(step.name)\(step.rest)").first?.response else {
                return ["the response to '\(step.name)' was not reported"]
            }
            let parts = [
                ("body", response.size.body), ("framing", response.size.framing), ("content", response.decodedBody),
            ]
            return parts.filter { $0.1.bytes > 0 }.map { name, part in
                "a response of status \(response.status) to \(step.method) has no \(name), not \(part.bytes)"
            }
        }
    }

    var refusalFaults: [String] {
        let found = reported(at: "/refused")
        guard found.count == 1, let only = found.first else {
            return ["'refused' was tried once, but reported \(found.count) times"]
        }
        var faults: [String] = []
        if only.request.size.known > .zero {
            faults.append("no byte of 'refused' was sent, but \(only.request.size.known) were reported")
        }
        if only.response != nil { faults.append("'refused' got no response, but one was reported") }
        if !only.isFailed || only.ends.count != 1 {
            faults.append("the connection of 'refused' was refused, but the request was reported with \(only.outcomes)")
        }
        return faults
    }

    var redactionFaults: [String] {
        guard !reported.isEmpty else { return ["no request was reported"] }
        let words = events.map { Self.words(in: $0) }.joined(separator: "\n")
        return Scenario.secrets.filter { words.contains($0) }.map { "'\($0)' reached the storing sink" }
    }

    /// All text in a value, found by reflection so that it works for any type.
    private static func words(in value: Any) -> String {
        if let text = value as? String { return text + "\n" }
        if let bytes = value as? [UInt8] { return String(decoding: bytes, as: UTF8.self) + "\n" }
        return Mirror(reflecting: value).children.map { words(in: $0.value) }.joined()
    }
}

extension WireSize {
    private struct Comparison {
        var name: String
        var reported: Part
        var truth: Int
        var bound: Int
    }

    /// The differences from the bytes on the wire that the evidence does not allow.
    ///
    /// Captured sizes must be exact part by part. Counters of the system may not separate the start line from the
    /// fields, or content from framing, so only their sums must be exact. Reconstructed sizes may be off by the bound
    /// plus the size's own margin.
    fileprivate func differences(from truth: MessageBytes, within bound: MessageBytes) -> [String] {
        let margin = Int(clamping: margin?.bytes ?? 0)
        let parts = [
            Comparison(name: "start line", reported: startLine, truth: truth.startLine, bound: bound.startLine),
            Comparison(name: "fields", reported: fields, truth: truth.fields, bound: bound.fields),
            Comparison(name: "interim responses", reported: interim, truth: truth.interim, bound: bound.interim),
            Comparison(name: "body", reported: body, truth: truth.body, bound: bound.body),
            Comparison(name: "framing", reported: framing, truth: truth.framing, bound: bound.framing),
        ]
        let cookies = Comparison(name: "cookies", reported: cookies, truth: truth.cookies, bound: bound.cookies)
        let single = (parts + [cookies]).compactMap { part -> String? in
            let off = abs(part.reported.bytes.bytes - Int64(part.truth))
            let isWrong =
                switch part.reported.evidence {
                case .captured: off > 0
                case .reconstructed: off > Int64(part.bound + margin)
                case .unknown: part.reported.bytes > .zero
                case .reported: false
                }
            guard isWrong else { return nil }
            return "\(part.name): \(part.reported.bytes) bytes \(part.reported.evidence.name), but \(part.truth) sent"
        }
        let groups = [
            ("start line and fields", [parts[0], parts[1]]), ("interim responses", [parts[2]]),
            ("body and framing", [parts[3], parts[4]]),
        ]
        let sums = groups.compactMap { name, group -> String? in
            guard group.contains(where: { $0.reported.evidence == .reported }),
                group.allSatisfy({ $0.reported.evidence != .unknown })
            else { return nil }
            let reported = group.reduce(Int64(0)) { $0 + $1.reported.bytes.bytes }
            let truth = group.reduce(0) { $0 + $1.truth }
            let bound = group.reduce(0) { $1.reported.evidence == .reconstructed ? $0 + $1.bound + margin : $0 }
            guard abs(reported - Int64(truth)) > Int64(bound) else { return nil }
            return "\(name): \(reported) bytes reported, but \(truth) sent"
        }
        return single + sums
    }
}
