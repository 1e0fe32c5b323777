import Locks
import TrafficModel

func section(_ text: String) -> FieldSection { FieldSection(bytes: Array(text.utf8)) }

extension FieldSection {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

func makeRequest(
    _ id: Int64 = 1, host: String = "api.example.com", path: String = "/users/42", query: String? = nil,
    fields: String = ""
) -> RequestRecord {
    RequestRecord(
        exchange: ExchangeID(id), task: ExchangeID(id), resendCount: 0, process: ProcessIdentity(pid: 7, name: "app"),
        startedAt: Timestamp(nanoseconds: 1), method: "GET", scheme: "https", host: host, port: 443, path: path,
        query: query, httpVersion: "1.1", fields: section(fields), size: .nothing)
}

func makeResponse(_ id: Int64 = 1, fields: String = "") -> ResponseRecord {
    ResponseRecord(
        exchange: ExchangeID(id), firstByteAt: Timestamp(nanoseconds: 2), status: 200, reason: "OK",
        httpVersion: "1.1", fields: section(fields), size: .nothing)
}

func makeEnd(_ id: Int64 = 1, _ outcome: ExchangeEnd.Outcome = .completed) -> ExchangeEnd {
    ExchangeEnd(
        exchange: ExchangeID(id), endedAt: Timestamp(nanoseconds: 3), outcome: outcome, timings: ExchangeTimings())
}
