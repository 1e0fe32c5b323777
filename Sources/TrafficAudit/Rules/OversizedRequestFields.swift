import TextFormats
import TrafficModel

/// Request headers that do not fit the first packet of their request.
struct OversizedRequestFields: AuditRule {
    static let name = "oversized-request-fields"
    private let limits: Audit.Limits
    /// The largest headers of each API, with their largest lines.
    private var largest: [Int: (size: Int64, lines: String)] = [:]

    init(_ limits: Audit.Limits) { self.limits = limits }

    mutating func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        let request = audited.exchange.request
        let fields = request.size.fields.bytes.bytes - request.size.cookies.bytes.bytes
        guard fields > limits.requestFields else { return }
        ledger.claim(audited, bytes: fields - limits.requestFields)
        ledger.change(.api(audited.api)) { $0.sum += fields }
        if fields > largest[audited.api]?.size ?? 0 {
            largest[audited.api] = (fields, Self.largestLines(request.fields))
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls > 0, let api = subject.number, let largest = largest[api] else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .requestFields,
                [
                    "size": .bytes(ByteCount(tally.sum / Int64(tally.calls))), "calls": subject.share(tally.calls),
                    "lines": .text(largest.lines),
                ]),
            remedy: .requestFieldsRemedy)
    }

    /// The three largest lines other than cookies, by name and size.
    private static func largestLines(_ fields: FieldSection) -> String {
        let lines = fields.lines.compactMap { line -> (name: String, size: Int)? in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = String(decoding: FieldSection.trimmed(line[..<colon]), as: UTF8.self)
            return name.lowercased() == "cookie" ? nil : (name, sizeOnTheWire(line))
        }
        return lines.sorted { $0.size > $1.size }.prefix(3).map { line in
            "\(TerminalText.escaped(line.name)) \(Units.bytes(ByteCount(line.size)))"
        }.joined(separator: ", ")
    }

    /// The size of a line before its secrets were replaced by `[redacted N B]`, in bytes.
    private static func sizeOnTheWire(_ line: ArraySlice<UInt8>) -> Int {
        let text = String(decoding: line, as: UTF8.self)
        return text.matches(of: /\[redacted (\d+) B\]/).reduce(line.count) { size, match in
            size + (Int(match.output.1) ?? 0) - match.output.0.utf8.count
        }
    }
}
