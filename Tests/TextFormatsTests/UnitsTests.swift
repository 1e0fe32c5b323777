import Testing
import TextFormats
import TrafficModel

@Suite struct UnitsTests {
    @Test(
        "Bytes",
        arguments: [
            (Int64(0), "0 B"), (999, "999 B"), (1_000, "1.0 KB"), (1_250, "1.3 KB"), (999_949, "999.9 KB"),
            (999_950, "1.0 MB"), (34_500_000, "34.5 MB"), (Int64.max, "9.2 EB"), (999_960_000_000_000_000, "1.0 EB"),
        ])
    func bytes(count: Int64, text: String) { #expect(Units.bytes(ByteCount(count)) == text) }

    @Test(
        "Durations",
        arguments: [
            (Int64?.none, "–"), (0, "0 µs"), (850_999, "850 µs"), (12_340_000, "12.3 ms"), (999_949_000, "999.9 ms"),
            (999_950_000, "1.0 s"), (59_940_000_000, "59.9 s"), (125_000_000_000, "2 min 05 s"),
            (10_920_000_000_000, "3 h 02 min"), (-5, "0 µs"), (Int64.max, "2562047 h 47 min"),
        ])
    func durations(nanoseconds: Int64?, text: String) { #expect(Units.duration(nanoseconds) == text) }

    @Test("A share never claims all or nothing that is not")
    func percent() {
        #expect([1, 0.99999, 0.873, 0.0001, 0].map(Units.percent) == ["100 %", "99.9 %", "87.3 %", "<0.1 %", "0 %"])
    }

    @Test("Thousands are separated")
    func counts() {
        #expect(
            [0, 999, 1_000, 1_234_567, Int64.max].map(Units.count)
                == ["0", "999", "1,000", "1,234,567", "9,223,372,036,854,775,807"])
    }

    @Test(
        "Moments are read and written",
        arguments: [
            ("2026-11-21", "2026-11-21T00:00:00.000000Z"),
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000000Z"),
            ("2026-11-21 10:00", "2026-11-21T10:00:00.000000Z"),
            ("2026-11-21T10:00", "2026-11-21T10:00:00.000000Z"),
            ("2026-11-21T10:00:00.123456789+01:30", "2026-11-21T08:30:00.123456Z"),
            ("2024-02-29T23:59:59-0100", "2024-03-01T00:59:59.000000Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000Z"),
            ("2000-03-01", "2000-03-01T00:00:00.000000Z"),
        ])
    func moments(text: String, expected: String) {
        #expect(Timestamp(iso8601: text)?.iso8601 == expected)
    }

    @Test(
        "What is no moment is none",
        arguments: [
            "", "2026", "2026-13-01", "2026-02-29", "2026-11-21T", "2026-11-21T24:00", "2026-11-21T10:00:00X",
            "2026-11-21T10:00:00.Z", "9999-01-01", "٢٠٢٦-11-21", "2026-11-21_10:00",
        ])
    func noMoments(text: String) { #expect(Timestamp(iso8601: text) == nil) }
}
