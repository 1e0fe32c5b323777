import TrafficModel
import WireweightTesting

/// Something that an observer gets wrong.
enum Fault: String, CaseIterable, Sendable {
    case changesTheAnswer
    case losesTheResponse
    case joinsTheWrongResponse
    case tellsTwice
    case completesWhatWasNeverAnswered
    case losesWhatWasNeverAnswered
    case endsFirst
    case endsTwice
    case neverEnds
    case capturesOneByteMore
    case capturesWhatItDoesNotKnow
    case reportsOneByteLess
    case reconstructsBeyondTheBound
    /// None: it says so.
    case reconstructsWithinItsMargin
    case forgetsTheTotal
    case overlapsPhases
    case sendsBeforeItBegins
    case forgetsTheTask
    case losesAHop
    case believesTheLength
    case completesACancel
    case weighsARefusal
    case mixesUpTasks
    case mixesUpSizes
    case keepsSecrets
    case talksAfterTheStop
    case leavesOpenAtTheStop
    case completesAtTheStop

    /// The rule that it breaks, and words of the complaint.
    var finding: (rule: ObserverConformance.Rule, words: String) {
        switch self {
        case .changesTheAnswer: (.transparency, "the client got 501 bytes for 'plain', not 500")
        case .losesTheResponse: (.pairs, "'/plain' was answered with 200, and told with no response")
        case .joinsTheWrongResponse: (.pairs, "'/plain' was answered with 200, and told with no response")
        case .tellsTwice: (.pairs, "'/plain' went over the wire once and was told 2 times")
        case .completesWhatWasNeverAnswered: (.unpaired, "'timeout' was never answered, and was told with 'completed'")
        case .losesWhatWasNeverAnswered: (.unpaired, "'reset' was never answered, and was told with no end")
        case .endsFirst: (.order, "was told behind its end")
        case .endsTwice: (.order, "the end of 1 was told behind its end")
        case .neverEnds: (.order, "'/plain' has no end")
        case .capturesOneByteMore: (.evidence, "body told as 501 bytes captured, not 500")
        case .capturesWhatItDoesNotKnow: (.evidence, "start line told as 0 bytes captured, not")
        case .reportsOneByteLess: (.evidence, "head told as")
        case .reconstructsBeyondTheBound: (.evidence, "body told as 503 bytes reconstructed, not 500")
        case .reconstructsWithinItsMargin: (.evidence, "nothing")
        case .forgetsTheTotal:
            (.times, "'/plain' took 2 ns from its begin to its end, and was told with an unknown time")
        case .overlapsPhases: (.times, "'/plain' has phases of 3 ns in 2 ns")
        case .sendsBeforeItBegins: (.times, "'/plain' was sent outside of its time")
        case .forgetsTheTask: (.redirects, "'/redirect/b' is hop 1 of task 1, and was told as hop 0 of 2")
        case .losesAHop: (.redirects, "'/redirect/b' was sent once and told 0 times")
        case .believesTheLength: (.bodiless, "a response of status 200 to HEAD has no body, not 5000")
        case .completesACancel: (.cancellation, "'cancel' was given up by the client, and was told with 'completed'")
        case .weighsARefusal: (.refusal, "nobody took a byte of 'refused', and 30 were told")
        case .mixesUpTasks: (.concurrency, "40 requests of 40 tasks share 1")
        case .mixesUpSizes: (.concurrency, "body told as")
        case .keepsSecrets: (.redaction, "'planted-basic-1' reached what stores")
        case .talksAfterTheStop: (.silence, "events came after the stop")
        case .leavesOpenAtTheStop: (.silence, "'/running' ran when it was stopped, and was told with no end")
        case .completesAtTheStop: (.silence, "'/running' ran when it was stopped, and was told with 'completed'")
        }
    }

    /// What is told instead of that.
    func distorting(_ events: [TrafficEvent], nextExchange: () -> ExchangeID) -> [TrafficEvent] {
        switch self {
        case .losesTheResponse: return events.filter { if case .response = $0 { false } else { true } }
        case .joinsTheWrongResponse: return events.map { $0.changing(response: { $0.exchange = ExchangeID(999) }) }
        case .tellsTwice:
            let other = nextExchange()
            return events
                + events.map { event in
                    event.changing {
                        ($0.exchange, $0.task) = (other, other)
                    } response: {
                        $0.exchange = other
                    } end: {
                        $0.exchange = other
                    }
                }
        case .completesWhatWasNeverAnswered, .completesACancel:
            return events.map { $0.changing(end: { $0.outcome = .completed }) }
        case .losesWhatWasNeverAnswered:
            return events.contains { if case .response = $0 { true } else { false } } ? events : []
        case .endsFirst: return events.reversed()
        case .endsTwice: return events + events.suffix(1)
        case .neverEnds: return events.dropLast()
        case .capturesOneByteMore:
            return events.map { $0.changing(response: { $0.size.body = .captured($0.size.body.bytes.bytes + 1) }) }
        case .capturesWhatItDoesNotKnow: return events.map { $0.changing(request: { $0.size = .nothing }) }
        case .reportsOneByteLess:
            return events.map { event in
                event.changing(request: {
                    $0.size.startLine = .init(.zero, .reported)
                    $0.size.fields = .init(ByteCount($0.size.fields.bytes.bytes - 1), .reported)
                })
            }
        case .reconstructsBeyondTheBound, .reconstructsWithinItsMargin:
            return events.map { event in
                event.changing(response: {
                    $0.size.margin = self == .reconstructsWithinItsMargin ? 3 : nil
                    $0.size.body = .init(ByteCount($0.size.body.bytes.bytes + 3), .reconstructed)
                })
            }
        case .forgetsTheTotal: return events.map { $0.changing(end: { $0.timings.total = nil }) }
        case .overlapsPhases: return events.map { $0.changing(end: { $0.timings.receive = 2 }) }
        case .sendsBeforeItBegins:
            return events.map { $0.changing(request: { $0.sentAt = Timestamp(nanoseconds: 0) }) }
        case .forgetsTheTask: return events.map { $0.changing(request: { ($0.task, $0.hop) = ($0.exchange, 0) }) }
        case .losesAHop:
            return events.filter { event in
                switch event {
                case .request(let request): request.hop != 1
                case .response(let response): response.exchange.rawValue != 2
                case .end(let end): end.exchange.rawValue != 2
                case .connection, .loss: true
                }
            }
        case .believesTheLength:
            return events.map { event in
                event.changing(response: {
                    let length = $0.fields.firstValue(of: "Content-Length").flatMap { Int64($0) } ?? 0
                    $0.size.body = .init(ByteCount(length), .reconstructed)
                })
            }
        case .weighsARefusal:
            return events.map { event in
                event.changing(request: { $0.size.fields = .init(30, .reconstructed) })
            }
        case .mixesUpTasks: return events.map { $0.changing(request: { $0.task = ExchangeID(1) }) }
        case .mixesUpSizes:
            return events.map { event in
                event.changing(response: {
                    $0.size.body = .captured($0.exchange.rawValue % 2 == 0 ? 100 : 101)
                })
            }
        case .changesTheAnswer, .keepsSecrets, .talksAfterTheStop, .leavesOpenAtTheStop, .completesAtTheStop:
            return events
        }
    }
}

extension TrafficEvent {
    fileprivate func changing(
        request changeRequest: (inout RequestRecord) -> Void = { _ in },
        response changeResponse: (inout ResponseRecord) -> Void = { _ in },
        end changeEnd: (inout ExchangeEnd) -> Void = { _ in }
    ) -> TrafficEvent {
        switch self {
        case .request(var record):
            changeRequest(&record)
            return .request(record)
        case .response(var record):
            changeResponse(&record)
            return .response(record)
        case .end(var end):
            changeEnd(&end)
            return .end(end)
        case .connection, .loss: return self
        }
    }
}
