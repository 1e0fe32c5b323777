import Foundation
import Locks
import TrafficModel
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reports what the origin logged, correct in every byte unless a fault is planted.
final class LogObserver: ConformingObserver {
    private struct State {
        var isStopped = false
        var next: Int64 = 1
        var running: [String: RequestRecord] = [:]
    }

    private let sink: any TrafficSink
    private let fault: Fault?
    private let session = URLSession(configuration: .ephemeral)
    private let state = Mutex(State())

    init(reportingTo sink: any TrafficSink, fault: Fault? = nil) {
        self.sink = sink
        self.fault = fault
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ call: ConformanceCall) async -> ConformanceResult {
        let first = begin(call)
        var result = await call.send(in: session)
        finish(call, first, result)
        if fault == .changesTheResponse { result.body.append(0x21) }
        return result
    }

    func flush() async {}

    func stop() async {
        let running = state.withLock { state in
            defer { state.running = [:] }
            state.isStopped = true
            return state.running
        }
        guard fault != .leavesOpenAtTheStop else { return }
        for request in running.values {
            report([.end(end(of: request.exchange, fault == .completesAtTheStop ? .completed : .abandoned))])
        }
    }

    // MARK: reporting

    private func begin(_ call: ConformanceCall) -> RequestRecord? {
        let target = URLComponents(string: call.url)
        let request = state.withLock { state -> RequestRecord? in
            guard !state.isStopped else { return nil }
            let request = record(
                nextExchange(&state), method: call.method, port: target?.port ?? 0,
                path: target?.percentEncodedPath ?? "", query: target?.percentEncodedQuery,
                fields: FieldSection(bytes: call.fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }),
                size: .unknown)
            state.running[call.name] = request
            return request
        }
        if let request { report([.request(request)]) }
        return request
    }

    private func finish(_ call: ConformanceCall, _ first: RequestRecord?, _ result: ConformanceResult) {
        let isOver = state.withLock { state in
            defer { state.running[call.name] = nil }
            return state.isStopped
        }
        guard let first, !isOver || fault == .reportsAfterTheStop else { return }
        var events: [TrafficEvent] = []
        let attempts = call.origin.exchanges.filter {
            $0.parsed?.path.split(separator: "/").first.map(String.init) == call.name
        }
        for (before, exchange) in attempts.enumerated() {
            let id = before == 0 ? first.exchange : state.withLock { nextExchange(&$0) }
            var request = first
            (request.exchange, request.resendCount, request.size) = (id, before, exchange.request.wireSize)
            request.path = exchange.parsed?.path ?? ""
            events.append(.request(request))
            if exchange.response.total > 0 { events.append(.response(response(to: id, exchange, method: call.method))) }
            let isLast = before == attempts.count - 1
            events.append(.end(end(of: id, isLast ? ExchangeEnd.Outcome(result) : .completed)))
        }
        if attempts.isEmpty {
            var request = first
            request.size = .nothing
            events = [.request(request), .end(end(of: first.exchange, ExchangeEnd.Outcome(result)))]
        }
        report(fault?.distorting(events, nextExchange: { state.withLock { nextExchange(&$0) } }) ?? events)
    }

    private func report(_ events: [TrafficEvent]) {
        for event in events { sink.record(event) }
    }

    private func nextExchange(_ state: inout State) -> ExchangeID {
        defer { state.next += 1 }
        return ExchangeID(state.next)
    }

    // MARK: records

    private func record(
        _ id: ExchangeID, method: String, port: Int, path: String, query: String?, fields: FieldSection,
        size: WireSize
    ) -> RequestRecord {
        RequestRecord(
            exchange: id, task: id, resendCount: 0, process: ProcessIdentity(pid: 1, name: "log"),
            startedAt: Timestamp(nanoseconds: 1), method: method, scheme: "http", host: "127.0.0.1", port: port,
            path: path, query: query, httpVersion: "1.1", fields: fields, size: size)
    }

    private func response(to id: ExchangeID, _ exchange: OriginExchange, method: String) -> ResponseRecord {
        let head = String(decoding: exchange.responseLog.kept.prefix { $0 != 0x0A }, as: UTF8.self)
        let all = exchange.responseLog.kept.prefix(exchange.response.startLine + exchange.response.fields - 2)
        return ResponseRecord(
            exchange: id, firstByteAt: Timestamp(nanoseconds: 2),
            status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, reason: "", httpVersion: "1.1",
            fields: FieldSection(bytes: Array(all.dropFirst(exchange.response.startLine))),
            size: exchange.response.wireSize)
    }

    private func end(of id: ExchangeID, _ outcome: ExchangeEnd.Outcome) -> ExchangeEnd {
        ExchangeEnd(
            exchange: id, endedAt: Timestamp(nanoseconds: 3), outcome: outcome,
            timings: ExchangeTimings(wait: 1, total: 2))
    }
}

extension ExchangeEnd.Outcome {
    fileprivate init(_ result: ConformanceResult) {
        self =
            switch (result.error as? URLError)?.code {
            case nil:
                result.error == nil
                    ? .completed : .failed(ExchangeFailure(.posix, code: 1, message: "\(result.error!)"))
            case .cancelled?: .cancelled
            case .timedOut?: .timedOut
            case let code?: .failed(ExchangeFailure(.urlSession, code: code.rawValue, message: "failed"))
            }
    }
}
