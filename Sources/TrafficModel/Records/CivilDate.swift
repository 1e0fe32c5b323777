/// A date of the proleptic Gregorian calendar, in UTC.
///
/// The arithmetic is Howard Hinnant's `days_from_civil` and `civil_from_days`: a year starts in March, so that a leap day
/// is its last, and 400 years have 146,097 days.
package struct CivilDate: Hashable, Sendable {
    package let year: Int64
    /// From 1 to 12.
    package let month: Int64
    /// From 1 to 31.
    package let day: Int64

    @inlinable
    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01.
    @inlinable
    package init(daysSinceEpoch days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days from 1970-01-01 to this date; a day past the end of its month counts into the next one.
    @inlinable
    package var daysSinceEpoch: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The days from 1970-01-01 to that second, rounded down.
    @inlinable
    package static func daysSinceEpoch(ofSecond second: Int64) -> Int64 {
        second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    }
}
