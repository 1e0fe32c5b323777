/// Dates as HTTP writes them (RFC 9110, section 5.6.7, IMF-fixdate), to and from seconds since the epoch.
enum HTTPDate {
    /// The number of bytes of such a date.
    static let length = 29

    private static let weekdays: [StaticString] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds of a date; nil if the bytes are not exactly what ``appendDate(_:to:)`` would write.
    static func seconds(of bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count == length else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for index in range {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return nil }
                value = value * 10 + Int64(digit)
            }
            return value
        }
        guard let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19),
            let minute = number(20..<22), let second = number(23..<25), year >= 1, day >= 1,
            let month = months.firstIndex(where: {
                bytes[8] == $0.utf8Start[0] && bytes[9] == $0.utf8Start[1]
                    && bytes[10] == $0.utf8Start[2]
            })
        else { return nil }
        let days = days(year: year, month: Int64(month) + 1, day: day)
        // Accept only what `appendDate` would write: the right weekday and separators, and no day or hour out of range.
        guard hour < 24, minute < 60, second < 60, civil(days).year == year, civil(days).month == Int64(month) + 1,
            weekday(days).utf8Start[0] == bytes[0], weekday(days).utf8Start[1] == bytes[1],
            weekday(days).utf8Start[2] == bytes[2], hasSeparators(bytes)
        else { return nil }
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func weekday(_ days: Int64) -> StaticString { weekdays[Int(((days % 7) + 7) % 7)] }

    private static func hasSeparators(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[3] == 0x2C && bytes[4] == 0x20 && bytes[7] == 0x20 && bytes[11] == 0x20 && bytes[16] == 0x20
            && bytes[19] == 0x3A && bytes[22] == 0x3A && bytes[25] == 0x20 && bytes[26] == 0x47 && bytes[27] == 0x4D
            && bytes[28] == 0x54
    }

    /// Appends the date of those seconds.
    static func appendDate(_ seconds: Int64, to bytes: inout [UInt8]) {
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
        func append(_ value: Int64, digits: Int) {
            var divisor: Int64 = digits == 4 ? 1_000 : 10
            while divisor > 0 {
                bytes.append(0x30 &+ UInt8(truncatingIfNeeded: value / divisor % 10))
                divisor /= 10
            }
        }
        append(weekday(day))
        append(", ")
        append(dayOfMonth, digits: 2)
        append(" ")
        append(months[Int(month) - 1])
        append(" ")
        append(year, digits: 4)
        append(" ")
        append(rest / 3_600, digits: 2)
        append(":")
        append(rest / 60 % 60, digits: 2)
        append(":")
        append(rest % 60, digits: 2)
        append(" GMT")
    }

    // Howard Hinnant's days_from_civil and civil_from_days, with years that begin in March.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
