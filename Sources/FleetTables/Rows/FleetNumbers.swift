package import TrafficModel

/// How words and flags are numbers in columns; the numbers never change.
package enum FleetNumbers {
    private static let outcomes: [ExchangeEnd.Outcome] = [
        .completed, .failed(ExchangeFailure(.init(""), code: 0)), .cancelled, .timedOut, .abandoned, .incomplete,
    ]

    /// The number of an outcome: its place among completed, failed, cancelled, timedOut, abandoned and incomplete.
    package static func outcome(_ outcome: ExchangeEnd.Outcome) -> UInt8 {
        // Of most exchanges; names are compared byte by byte.
        outcome == .completed ? 0 : UInt8(outcomes.firstIndex { $0.name == outcome.name } ?? 4)
    }

    /// The outcome with that number; that of a failure has no domain, code and message yet.
    package static func outcome(_ number: UInt8) -> ExchangeEnd.Outcome {
        Int(number) < outcomes.count ? outcomes[Int(number)] : .abandoned
    }

    /// 0 for what was called, 1 for what was served.
    package static func direction(_ direction: TrafficDirection) -> UInt8 { direction == .called ? 0 : 1 }

    /// The direction with that number.
    package static func direction(_ number: UInt8) -> TrafficDirection { number == 1 ? .served : .called }

    // MARK: Evidence

    private static let marginBits: Int64 = 16
    private static let mostMargin: Int64 = 1 << 46

    /// The evidence of all parts of a size as one number, which is 0 if all was captured.
    ///
    /// Each part has two bits: 0 captured, 1 reported, 2 reconstructed, 3 unknown. From the lowest bits: the decoded
    /// body, start line, fields, cookies, interim, body, framing. The bits from the 16th on are the margin plus 1, or 0
    /// if there is none.
    package static func evidence(_ size: WireSize, decodedBody: Evidence = .captured) -> Int64 {
        var packed: Int64 = 0
        func add(_ place: Int64, _ evidence: Evidence) { packed |= Int64(3 - evidence.rawValue) << (2 * place) }
        add(0, decodedBody)
        add(1, size.startLine.evidence)
        add(2, size.fields.evidence)
        add(3, size.cookies.evidence)
        add(4, size.interim.evidence)
        add(5, size.body.evidence)
        add(6, size.framing.evidence)
        if let margin = size.margin { packed |= (min(margin.bytes, mostMargin) + 1) << marginBits }
        return packed
    }

    /// A size of six parts, from start line to framing, with that evidence.
    static func size(_ parts: [Int64], evidence packed: Int64) -> WireSize {
        func part(_ place: Int) -> WireSize.Part {
            WireSize.Part(ByteCount(count(parts[place - 1])), evidence(packed, at: Int64(place)))
        }
        let margin = packed >> marginBits
        return WireSize(
            startLine: part(1), fields: part(2), cookies: part(3), interim: part(4), body: part(5), framing: part(6),
            margin: margin > 0 ? ByteCount(margin - 1) : nil)
    }

    /// The evidence of a part: 0 is the decoded body, 1 the start line.
    package static func evidence(_ packed: Int64, at place: Int64) -> Evidence {
        Evidence(rawValue: UInt8(3 - (packed >> (2 * place)) & 3)) ?? .unknown
    }

    // MARK: Bounds

    // As a store does it: what is read may be damaged or forged, and computing with it must not overflow.
    private static let most: Int64 = 1 << 48
    private static let earliest: Int64 = -(1 << 60)
    private static let latest: Int64 = 1 << 62
    private static let longest: Int64 = 1 << 56

    /// A count of events or bytes.
    package static func count(_ value: Int64) -> Int64 { min(max(0, value), most) }

    /// A moment of nanoseconds since 1970.
    package static func nanosecondMoment(_ nanoseconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: min(max(earliest, nanoseconds), latest))
    }

    /// A moment of microseconds since 1970.
    package static func moment(_ microseconds: Int64) -> Timestamp { nanosecondMoment(times1000(microseconds)) }

    /// Microseconds since 1970, rounded down.
    package static func microseconds(_ moment: Timestamp) -> Int64 {
        let value = moment.nanoseconds
        return value >= 0 ? value / 1_000 : -((-(value + 1)) / 1_000) - 1
    }

    /// Nanoseconds of a duration in microseconds.
    package static func duration(_ microseconds: Int64) -> Int64 { nanoseconds(times1000(microseconds)) }

    /// A duration in nanoseconds.
    package static func nanoseconds(_ nanoseconds: Int64) -> Int64 { min(max(-longest, nanoseconds), longest) }

    private static func times1000(_ value: Int64) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 1_000)
        return overflow ? (value < 0 ? .min : .max) : product
    }
}
