internal import TrafficModel

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
        let days = CivilDate(year: year, month: Int64(month) + 1, day: day).daysSinceEpoch
        let date = CivilDate(daysSinceEpoch: days)
        // Accept only what `appendDate` would write: the right weekday and separators, and no day or hour out of range.
        guard hour < 24, minute < 60, second < 60, date.year == year, date.month == Int64(month) + 1,
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
        let day = CivilDate.daysSinceEpoch(ofSecond: seconds)
        let rest = seconds - day * 86_400
        let date = CivilDate(daysSinceEpoch: day)
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
        append(date.day, digits: 2)
        append(" ")
        append(months[Int(date.month) - 1])
        append(" ")
        append(date.year, digits: 4)
        append(" ")
        append(rest / 3_600, digits: 2)
        append(":")
        append(rest / 60 % 60, digits: 2)
        append(":")
        append(rest % 60, digits: 2)
        append(" GMT")
    }
}
