import Testing
import TrafficModel

@Suite struct CivilDateTests {
    @Test("Days since 1970 and dates are each other's inverse")
    func inverse() {
        let dates: [(days: Int64, year: Int64, month: Int64, day: Int64)] = [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (47_540, 2100, 2, 28),
            (47_541, 2100, 3, 1), (2_932_896, 9999, 12, 31), (-719_468, 0, 3, 1), (-719_529, -1, 12, 31),
        ]
        for (days, year, month, day) in dates {
            let date = CivilDate(year: year, month: month, day: day)
            #expect(CivilDate(daysSinceEpoch: days) == date)
            #expect(date.daysSinceEpoch == days)
        }
    }

    @Test("A day past the end of its month counts into the next one")
    func pastTheEnd() {
        let past = CivilDate(year: 2026, month: 2, day: 29).daysSinceEpoch
        #expect(past == CivilDate(year: 2026, month: 3, day: 1).daysSinceEpoch)
    }

    @Test("Seconds before 1970 belong to the day that they are in")
    func seconds() {
        let days = [-86_401, -86_400, -1, 0, 86_399, 86_400].map { CivilDate.daysSinceEpoch(ofSecond: $0) }
        #expect(days == [-2, -1, -1, 0, 0, 1])
    }
}
