import TrafficModel
import WireweightTesting

/// A mistake of an observer.
enum Fault: String, CaseIterable, Sendable {
    case changesTheResponse
    case losesTheResponse
    case joinsTheWrongResponse
    case reportsTwice
    case completesWithoutAResponse
    case losesWithoutAResponse
    case endsFirst
    case endsTwice
    case neverEnds
    case capturesOneByteMore
    case capturesWhatItDoesNotKnow
    case reportsOneByteLess
    case reconstructsBeyondTheBound
    /// No mistake, because the size states its margin.
    case reconstructsWithinItsMargin
    case forgetsTheTotal
    case overlapsPhases
    case sendsBeforeItStarts
    case forgetsTheTask
    case losesAnAttempt
    case believesTheLength
    case completesACancel
    case countsBytesOfARefusal
    case mixesUpTasks
    case mixesUpSizes
    case keepsSecrets
    case reportsAfterTheStop
    case leavesOpenAtTheStop
    case completesAtTheStop

    /// The rule that the mistake breaks, and a part of the message.
    var finding: (rule: ObserverConformance.Rule, words: String) {
        switch self {
        case .changesTheResponse: (.transparency, "the client got 501 bytes for 'plain', not 500")
        case .losesTheResponse: (.pairs, "'/plain' got status 200, but was reported with no response")
        case .joinsTheWrongResponse: (.pairs, "'/plain' got status 200, but was reported with no response")
        case .reportsTwice: (.pairs, "'/plain' was sent once, but reported 2 times")
        case .completesWithoutAResponse: (.unpaired, "'timeout' got no response, but was reported with 'completed'")
        case .losesWithoutAResponse: (.unpaired, "'reset' got no response, but was reported with no end")
        case .endsFirst: (.order, "was reported after its end")
        case .endsTwice: (.order, "the end of 1 was reported after its end")
        case .neverEnds: (.order, "'/plain' has no end")
        case .capturesOneByteMore: (.evidence, "body: 501 bytes captured, but 500 sent")
        case .capturesWhatItDoesNotKnow: (.evidence, "start line: 0 bytes captured, but")
        case .reportsOneByteLess: (.evidence, "start line and fields: ")
        case .reconstructsBeyondTheBound: (.evidence, "body: 503 bytes reconstructed, but 500 sent")
        case .reconstructsWithinItsMargin: (.evidence, "nothing")
        case .forgetsTheTotal:
            (.times, "'/plain' took 2 ns from start to end, but was reported with an unknown time")
        case .overlapsPhases: (.times, "'/plain' has phases of 3 ns in 2 ns")
        case .sendsBeforeItStarts: (.times, "'/plain' was sent before its start or after its end")
        case .forgetsTheTask:
            (.redirects, "'/redirect/b' is attempt 2 of task 1, but was reported as attempt 1 of task 2")
        case .losesAnAttempt: (.redirects, "'/redirect/b' was sent once, but reported 0 times")
        case .believesTheLength: (.bodiless, "a response of status 200 to HEAD has no body, not 5000")
        case .completesACancel: (.cancellation, "the client cancelled 'cancel', but it was reported with 'completed'")
        case .countsBytesOfARefusal: (.refusal, "no byte of 'refused' was sent, but 30 were reported")
        case .mixesUpTasks: (.concurrency, "40 requests of as many tasks were reported as 1")
        case .mixesUpSizes: (.concurrency, "body: ")
        case .keepsSecrets: (.redaction, "'planted-basic-1' reached the storing sink")
        case .reportsAfterTheStop: (.silence, "events came after the stop")
        case .leavesOpenAtTheStop: (.silence, "'/running' was running at the stop, but was reported with no end")
        case .completesAtTheStop: (.silence, "'/running' was running at the stop, but was reported with 'completed'")
        }
    }

    /// The events with the mistake.
    func distorting(_ events: [TrafficEvent], nextExchange: () -> ExchangeID) -> [TrafficEvent] {
        switch self {
        case .losesTheResponse: return events.filter { if case .response = $0 { false } else { true } }
        case .joinsTheWrongResponse: return events.map { $0.changing(response: { $0.exchange = ExchangeID(999) }) }
        case .reportsTwice:
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
        case .completesWithoutAResponse, .completesACancel:
            return events.map { $0.changing(end: { $0.outcome = .completed }) }
        case .losesWithoutAResponse:
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
        case .sendsBeforeItStarts:
            return events.map { $0.changing(request: { $0.sentAt = Timestamp(nanoseconds: 0) }) }
        case .forgetsTheTask:
            return events.map { $0.changing(request: { ($0.task, $0.resendCount) = ($0.exchange, 0) }) }
        case .losesAnAttempt:
            return events.filter { event in
                switch event {
                case .request(let request): request.resendCount != 1
                case .response(let response): response.exchange.rawValue != 2
                case .end(let end): end.exchange.rawValue != 2
                case .connection, .loss, .device, .lookup, .carrier: true
                }
            }
        case .believesTheLength:
            return events.map { event in
                event.changing(response: {
                    let length = $0.fields.firstValue(of: "Content-Length").flatMap { Int64($0) } ?? 0
                    $0.size.body = .init(ByteCount(length), .reconstructed)
                })
            }
        case .countsBytesOfARefusal:
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
        case .changesTheResponse, .keepsSecrets, .reportsAfterTheStop, .leavesOpenAtTheStop, .completesAtTheStop:
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
        case .connection, .loss, .device, .lookup, .carrier: return self
        }
    }
}
