import TrafficModel
import TrafficOrigin

// Checks of sizes. Each returns one sentence for each fault.

extension Observation {
    /// Sizes that differ from the origin's log by more than their evidence allows.
    ///
    /// - Parameter bound: the bytes by which each part of a reconstructed size may be off.
    /// - Returns: one sentence for each fault.
    func sizesThatAreOff(_ bound: MessageBytes) -> [String] {
        told.flatMap { told -> [String] in
            guard let truth = truth(of: told) else { return [] }
            let path = told.request.path
            var complaints = told.request.size.differences(from: truth.request, within: bound).map {
                "the request of '\(path)': \($0)"
            }
            if let response = told.response {
                // A client that left early received only the first bytes of the response.
                let known = Int(clamping: response.size.known.bytes)
                let whole = told.isCompleted || known >= truth.response.total
                complaints += response.size.differences(
                    from: whole ? truth.response : truth.response(upTo: known), within: bound
                ).map { "the response of '\(path)': \($0)" }
            }
            return complaints
        }
    }

    var contentThatCannotBe: [String] {
        scenario.steps.flatMap { step -> [String] in
            guard let response = told(of: "/\(step.name)\(step.rest)").first?.response else {
                return ["the response of '\(step.name)' was not told"]
            }
            let parts = [
                ("body", response.size.body), ("framing", response.size.framing), ("content", response.decodedBody),
            ]
            return parts.filter { $0.1.bytes > 0 }.map { name, part in
                "a response of status \(response.status) to \(step.method) has no \(name), not \(part.bytes)"
            }
        }
    }

    var bytesThatNobodyTook: [String] {
        let told = told(of: "/refused")
        guard told.count == 1, let only = told.first else {
            return ["'refused' was tried once and told \(told.count) times"]
        }
        var complaints: [String] = []
        if only.request.size.known > .zero {
            complaints.append("nobody took a byte of 'refused', and \(only.request.size.known) were told")
        }
        if only.response != nil { complaints.append("nobody answered 'refused', and a response was told") }
        if !only.isFailed || only.ends.count != 1 {
            complaints.append("the connection of 'refused' was refused, and it was told with \(only.outcomes)")
        }
        return complaints
    }

    var secretsThatAreKept: [String] {
        guard !told.isEmpty else { return ["no request was told"] }
        let words = events.map { Self.words(in: $0) }.joined(separator: "\n")
        return Scenario.secrets.filter { words.contains($0) }.map { "'\($0)' reached what stores" }
    }

    /// All text in a value, found by reflection so that it works for any type.
    private static func words(in value: Any) -> String {
        if let text = value as? String { return text + "\n" }
        if let bytes = value as? [UInt8] { return String(decoding: bytes, as: UTF8.self) + "\n" }
        return Mirror(reflecting: value).children.map { words(in: $0.value) }.joined()
    }
}

extension WireSize {
    private struct Measure {
        var name: String
        var told: Part
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
            Measure(name: "start line", told: startLine, truth: truth.startLine, bound: bound.startLine),
            Measure(name: "fields", told: fields, truth: truth.fields, bound: bound.fields),
            Measure(name: "interim responses", told: interim, truth: truth.interim, bound: bound.interim),
            Measure(name: "body", told: body, truth: truth.body, bound: bound.body),
            Measure(name: "framing", told: framing, truth: truth.framing, bound: bound.framing),
        ]
        let cookies = Measure(name: "cookies", told: cookies, truth: truth.cookies, bound: bound.cookies)
        let single = (parts + [cookies]).compactMap { part -> String? in
            let off = abs(part.told.bytes.bytes - Int64(part.truth))
            let isWrong =
                switch part.told.evidence {
                case .captured: off > 0
                case .reconstructed: off > Int64(part.bound + margin)
                case .unknown: part.told.bytes > .zero
                case .reported: false
                }
            guard isWrong else { return nil }
            return "\(part.name) told as \(part.told.bytes) bytes \(part.told.evidence.name), not \(part.truth)"
        }
        let groups = [
            ("head", [parts[0], parts[1]]), ("interim responses", [parts[2]]), ("content", [parts[3], parts[4]]),
        ]
        let sums = groups.compactMap { name, group -> String? in
            guard group.contains(where: { $0.told.evidence == .reported }),
                group.allSatisfy({ $0.told.evidence != .unknown })
            else { return nil }
            let told = group.reduce(Int64(0)) { $0 + $1.told.bytes.bytes }
            let truth = group.reduce(0) { $0 + $1.truth }
            let bound = group.reduce(0) { $1.told.evidence == .reconstructed ? $0 + $1.bound + margin : $0 }
            guard abs(told - Int64(truth)) > Int64(bound) else { return nil }
            return "\(name) told as \(told) bytes reported, not \(truth)"
        }
        return single + sums
    }
}
