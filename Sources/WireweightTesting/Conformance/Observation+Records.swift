import TrafficModel

// Checks of the records and of how they are joined. Each property returns one sentence for each fault.

extension Observation {
    var answersThatChanged: [String] {
        scenario.steps.flatMap { step -> [String] in
            guard let answer = answers[step.name] else { return ["'\(step.name)' got no answer from the client"] }
            guard answer.status == step.status else {
                let got = answer.status.map { "status \($0)" } ?? "\(answer.error.map { "\($0)" } ?? "no response")"
                return ["the client got \(got) for '\(step.name)', not \(step.status.map(String.init) ?? "an error")"]
            }
            guard let content = step.content, answer.body.count != content else { return [] }
            return ["the client got \(answer.body.count) bytes for '\(step.name)', not \(content)"]
        }
    }

    var pairsThatAreMissing: [String] {
        exchanges.flatMap { exchange -> [String] in
            let (told, path) = (told(of: exchange.parsed?.path ?? ""), exchange.target)
            guard told.count == 1, let only = told.first else {
                return ["'\(path)' went over the wire once and was told \(told.count) times"]
            }
            var complaints: [String] = []
            if only.request.method != exchange.method {
                complaints.append("'\(path)' was sent with \(exchange.method), and told with \(only.request.method)")
            }
            if only.request.query != exchange.parsed?.query {
                complaints.append("the query of '\(path)' was told as '\(only.request.query ?? "")'")
            }
            if only.request.task != only.id || only.request.hop != 0 {
                complaints.append("'\(path)' stands alone, and was told as hop \(only.request.hop) of another task")
            }
            if only.response?.status != exchange.status {
                let status = only.response.map { "status \($0.status)" } ?? "no response"
                complaints.append("'\(path)' was answered with \(exchange.status ?? 0), and told with \(status)")
            }
            if only.ends.map(\.outcome) != [.completed] {
                complaints.append("'\(path)' was completed, and told with \(only.outcomes)")
            }
            return complaints
        } + requestsThatWereNone
    }

    /// Reported requests that the origin never received.
    private var requestsThatWereNone: [String] {
        told.filter { truth(of: $0) == nil }.map { "'\($0.request.path)' was told, and never went over the wire" }
    }

    var answersThatNeverCame: [String] {
        scenario.steps.flatMap { step -> [String] in
            let told = told(of: "/\(step.name)\(step.rest)")
            guard told.count == 1, let only = told.first else {
                return ["'\(step.name)' was sent once and told \(told.count) times"]
            }
            var complaints: [String] = []
            if let response = only.response, response.status != 0 {
                complaints.append("'\(step.name)' was never answered, and was told with status \(response.status)")
            }
            if only.ends.count != 1 || only.isCompleted || only.ends.contains(where: { $0.outcome == .abandoned }) {
                complaints.append("'\(step.name)' was never answered, and was told with \(only.outcomes)")
            } else if step.name == "reset", !only.isFailed {
                complaints.append("the connection of 'reset' was reset, and it was told with \(only.outcomes)")
            }
            return complaints
        }
    }

    var eventsOutOfOrder: [String] {
        var complaints: [String] = []
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
            case .connection, .loss: continue
            }
            guard !foreign.contains(exchange) else { continue }
            if !requests.contains(exchange) { complaints.append("\(what) of \(exchange) was told before its request") }
            if ended.contains(exchange) { complaints.append("\(what) of \(exchange) was told behind its end") }
            if case .end = event { ended.insert(exchange) }
        }
        for told in told where told.ends.isEmpty { complaints.append("'\(told.request.path)' has no end") }
        return complaints
    }

    var hopsThatAreNotJoined: [String] {
        var complaints: [String] = []
        let first = told(of: "/redirect/a").first?.id
        for (hop, (path, status)) in [("/redirect/a", 302), ("/redirect/b", 307), ("/redirect/c", 200)].enumerated() {
            let told = told(of: path)
            guard told.count == 1, let only = told.first else {
                complaints.append("'\(path)' was sent once and told \(told.count) times")
                continue
            }
            if only.request.task != first || only.request.hop != hop {
                complaints.append(
                    "'\(path)' is hop \(hop) of task \(first.map { "\($0)" } ?? "?"), "
                        + "and was told as hop \(only.request.hop) of \(only.request.task)")
            }
            if only.response?.status != status || !only.isCompleted {
                complaints.append("'\(path)' was answered with \(status), and was not told so")
            }
        }
        return complaints
    }

    var exchangesThatAreMixedUp: [String] {
        let tasks = Set(told.map(\.request.task))
        return (tasks.count == told.count ? [] : ["\(told.count) requests of \(told.count) tasks share \(tasks.count)"])
            + pairsThatAreMissing
    }

    var cancelsThatAreNone: [String] {
        let told = told(of: "/cancel")
        guard told.count == 1, let only = told.first else {
            return ["'cancel' was sent once and told \(told.count) times"]
        }
        return only.ends.map(\.outcome) == [.cancelled]
            ? [] : ["'cancel' was given up by the client, and was told with \(only.outcomes)"]
    }

    var wordsAfterTheStop: [String] {
        guard let toldAtStop else { return ["it was never stopped"] }
        var complaints: [String] = []
        if events.count > toldAtStop { complaints.append("\(events.count - toldAtStop) events came after the stop") }
        for told in told {
            if told.request.path == "/later" { complaints.append("a request was told that began after the stop") }
            if told.ends.count != 1 || told.isCompleted {
                complaints.append("'\(told.request.path)' ran when it was stopped, and was told with \(told.outcomes)")
            }
        }
        return complaints
    }
}
