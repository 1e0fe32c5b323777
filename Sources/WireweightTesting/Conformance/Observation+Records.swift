import TrafficModel

// Checks of the records and of how they are joined. Each property has one sentence for each fault.

extension Observation {
    var transparencyFaults: [String] {
        scenario.steps.flatMap { step -> [String] in
            guard let result = results[step.name] else { return ["the client returned no result for '\(step.name)'"] }
            guard result.status == step.status else {
                let got = result.status.map { "status \($0)" } ?? "\(result.error.map { "\($0)" } ?? "no response")"
                return ["the client got \(got) for '\(step.name)', not \(step.status.map(String.init) ?? "an error")"]
            }
            guard let content = step.content, result.body.count != content else { return [] }
            return ["the client got \(result.body.count) bytes for '\(step.name)', not \(content)"]
        }
    }

    var pairFaults: [String] {
        exchanges.flatMap { exchange -> [String] in
            let (found, path) = (reported(at: exchange.parsed?.path ?? ""), exchange.target)
            guard found.count == 1, let only = found.first else { return [countFault(path, found.count)] }
            var faults: [String] = []
            if only.request.method != exchange.method {
                faults.append("'\(path)' was sent with \(exchange.method), but reported with \(only.request.method)")
            }
            if only.request.query != exchange.parsed?.query {
                faults.append("the query of '\(path)' was reported as '\(only.request.query ?? "")'")
            }
            if only.request.task != only.id || only.request.resendCount != 0 {
                faults.append(
                    "'\(path)' is the only attempt of its task, but was reported after "
                        + "\(only.request.resendCount) others")
            }
            if only.response?.status != exchange.status {
                let status = only.response.map { "status \($0.status)" } ?? "no response"
                faults.append("'\(path)' got status \(exchange.status ?? 0), but was reported with \(status)")
            }
            if only.ends.map(\.outcome) != [.completed] {
                faults.append("'\(path)' was completed, but reported with \(only.outcomes)")
            }
            return faults
        } + unsentRequests
    }

    /// Reported requests that the origin never received.
    private var unsentRequests: [String] {
        reported.filter { truth(of: $0) == nil }.map { "'\($0.request.path)' was reported, but never sent" }
    }

    private func countFault(_ name: String, _ count: Int) -> String {
        "'\(name)' was sent once, but reported \(count) times"
    }

    var unpairedFaults: [String] {
        scenario.steps.flatMap { step -> [String] in
            let found = reported(at: "/\(step.name)\(step.rest)")
            guard found.count == 1, let only = found.first else { return [countFault(step.name, found.count)] }
            var faults: [String] = []
            if let response = only.response, response.status != 0 {
                faults.append("'\(step.name)' got no response, but was reported with status \(response.status)")
            }
            if only.ends.count != 1 || only.isCompleted || only.ends.contains(where: { $0.outcome == .abandoned }) {
                faults.append("'\(step.name)' got no response, but was reported with \(only.outcomes)")
            } else if step.name == "reset", !only.isFailed {
                faults.append("the connection of 'reset' was reset, but the request was reported with \(only.outcomes)")
            }
            return faults
        }
    }

    var orderFaults: [String] {
        var faults: [String] = []
        var foreign: Set<ExchangeID> = []
        var requests: Set<ExchangeID> = []
        var ended: Set<ExchangeID> = []
        for event in events {
            let (exchange, what): (ExchangeID, String)
            switch event {
            case .request(let record):
                (exchange, what) = (record.exchange, "the request")
                if !ports.contains(record.port) { foreign.insert(exchange) }
                requests.insert(exchange)
            case .response(let record): (exchange, what) = (record.exchange, "the response")
            case .end(let end): (exchange, what) = (end.exchange, "the end")
            case .connection, .loss, .device, .lookup, .carrier: continue
            }
            guard !foreign.contains(exchange) else { continue }
            if !requests.contains(exchange) { faults.append("\(what) of \(exchange) was reported before its request") }
            if ended.contains(exchange) { faults.append("\(what) of \(exchange) was reported after its end") }
            if case .end = event { ended.insert(exchange) }
        }
        for open in reported where open.ends.isEmpty { faults.append("'\(open.request.path)' has no end") }
        return faults
    }

    var redirectFaults: [String] {
        var faults: [String] = []
        let first = reported(at: "/redirect/a").first?.id
        for (before, (path, status)) in [("/redirect/a", 302), ("/redirect/b", 307), ("/redirect/c", 200)].enumerated()
        {
            let found = reported(at: path)
            guard found.count == 1, let only = found.first else {
                faults.append(countFault(path, found.count))
                continue
            }
            if only.request.task != first || only.request.resendCount != before {
                faults.append(
                    "'\(path)' is attempt \(before + 1) of task \(first.map { "\($0)" } ?? "?"), "
                        + "but was reported as attempt \(only.request.resendCount + 1) of task \(only.request.task)")
            }
            if only.response?.status != status || !only.isCompleted {
                faults.append("'\(path)' got status \(status), but was not reported so")
            }
        }
        return faults
    }

    var concurrencyFaults: [String] {
        let tasks = Set(reported.map(\.request.task))
        let mixed = "\(reported.count) requests of as many tasks were reported as \(tasks.count)"
        return (tasks.count == reported.count ? [] : [mixed]) + pairFaults
    }

    var cancellationFaults: [String] {
        let found = reported(at: "/cancel")
        guard found.count == 1, let only = found.first else { return [countFault("cancel", found.count)] }
        return only.ends.map(\.outcome) == [.cancelled]
            ? [] : ["the client cancelled 'cancel', but it was reported with \(only.outcomes)"]
    }

    var silenceFaults: [String] {
        guard let countAtStop else { return ["the observer was never stopped"] }
        var faults: [String] = []
        if events.count > countAtStop { faults.append("\(events.count - countAtStop) events came after the stop") }
        for exchange in reported {
            let path = exchange.request.path
            if path == "/later" { faults.append("a request that began after the stop was reported") }
            if exchange.ends.count != 1 || exchange.isCompleted {
                faults.append("'\(path)' was running at the stop, but was reported with \(exchange.outcomes)")
            }
        }
        return faults
    }
}
