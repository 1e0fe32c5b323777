package import TrafficModel

extension Timestamp {
    /// The moment as `2026-11-21T10:00:00.123456Z`: microseconds, in UTC.
    package var iso8601: String {
        let micros = (nanoseconds - seconds * 1_000_000_000) / 1_000
        return "\(dateText)T\(clockText).\(Units.padded(micros, to: 6))Z"
    }

    /// The time of day as `10:00:00.123`.
    package func timeOfDay(in zone: ClockZone = .utc) -> String {
        let there = shifted(to: zone)
        let millis = (there.nanoseconds - there.seconds * 1_000_000_000) / 1_000_000
        return "\(there.clockText).\(Units.padded(millis, to: 3))"
    }

    /// The moment as `2026-11-21 10:00`.
    package func minuteText(in zone: ClockZone = .utc) -> String {
        let there = shifted(to: zone)
        return "\(there.dateText) \(there.clockText.prefix(5))"
    }

    /// The moment for people, with its zone: `2026-11-21 10:00:00.123456 UTC`.
    package func text(in zone: ClockZone) -> String {
        let there = shifted(to: zone)
        let micros = (there.nanoseconds - there.seconds * 1_000_000_000) / 1_000
        return "\(there.dateText) \(there.clockText).\(Units.padded(micros, to: 6)) \(zone.name)"
    }

    /// The moment whose figures in UTC are those of this one in a zone.
    private func shifted(to zone: ClockZone) -> Timestamp {
        let (moved, overflow) = nanoseconds.addingReportingOverflow(zone.offset * 1_000_000_000)
        return overflow ? self : Timestamp(nanoseconds: moved)
    }

    private var clockText: String {
        let second = seconds - days * 86_400
        return "\(Units.padded(second / 3_600)):\(Units.padded(second / 60 % 60)):\(Units.padded(second % 60))"
    }

    private var days: Int64 { CivilDate.daysSinceEpoch(ofSecond: seconds) }

    private var dateText: String {
        let date = CivilDate(daysSinceEpoch: days)
        return "\(Units.padded(date.year, to: 4))-\(Units.padded(date.month))-\(Units.padded(date.day))"
    }

    /// Reads a moment; nil if the text is not one.
    ///
    /// It accepts `2026-11-21`, `2026-11-21T10:00` (or a space instead of the `T`), `2026-11-21T10:00:00.5Z`, and an
    /// offset such as `+01:00` instead of the `Z`. Without `Z` and offset the time is in that zone.
    package init?(iso8601 text: String, in zone: ClockZone = .utc) {
        var rest = text[...]
        guard let year = Self.digits(4, from: &rest), Self.take("-", from: &rest),
            let month = Self.digits(2, from: &rest), (1...12).contains(month), Self.take("-", from: &rest),
            let day = Self.digits(2, from: &rest), day >= 1, day <= Self.daysInMonth(month, of: year)
        else { return nil }
        var seconds = CivilDate(year: year, month: month, day: day).daysSinceEpoch * 86_400
        var fraction: Int64 = 0
        if rest.isEmpty {
            seconds -= zone.offset
        } else {
            guard let mark = rest.popFirst(), "Tt ".contains(mark), let hour = Self.digits(2, from: &rest), hour < 24,
                Self.take(":", from: &rest), let minute = Self.digits(2, from: &rest), minute < 60
            else { return nil }
            seconds += hour * 3_600 + minute * 60
            if Self.take(":", from: &rest) {
                guard let second = Self.digits(2, from: &rest), second < 60 else { return nil }
                seconds += second
                if Self.take(".", from: &rest) {
                    let digits = rest.prefix { $0.isASCII && $0.isNumber }
                    guard !digits.isEmpty else { return nil }
                    rest = rest.dropFirst(digits.count)
                    fraction = Int64((digits + "000000000").prefix(9)) ?? 0
                }
            }
            guard let offset = rest.isEmpty ? zone.offset : Self.offset(rest) else { return nil }
            seconds -= offset
        }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, nanoseconds < Int64.max - fraction else { return nil }
        self.init(nanoseconds: nanoseconds + fraction)
    }

    private static func offset(_ text: Substring) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        var rest = text
        guard let sign = rest.popFirst(), "+-".contains(sign), let hours = digits(2, from: &rest), hours < 24
        else { return nil }
        _ = take(":", from: &rest)
        guard let minutes = digits(2, from: &rest), minutes < 60, rest.isEmpty else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private static func digits(_ count: Int, from text: inout Substring) -> Int64? {
        let digits = text.prefix(count)
        guard digits.utf8.count == count, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        text = text.dropFirst(count)
        return Int64(digits)
    }

    private static func take(_ character: Character, from text: inout Substring) -> Bool {
        guard text.first == character else { return false }
        text.removeFirst()
        return true
    }

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
