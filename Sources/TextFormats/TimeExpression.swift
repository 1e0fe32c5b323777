package import TrafficModel

/// Reads times and durations as people write them in options.
package enum TimeExpression {
    /// A duration such as `500ms`, `2s`, `1.5s`, `10m`, `2h` or `3d`, in nanoseconds; nil if the text is not one.
    package static func duration(_ text: String) -> Int64? {
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        guard let value = Double(number), value.isFinite else { return nil }
        let unit: Double
        switch text.dropFirst(number.count) {
        case "us", "µs": unit = 1e3
        case "ms": unit = 1e6
        case "s": unit = 1e9
        case "m", "min": unit = 60e9
        case "h": unit = 3_600e9
        case "d": unit = 86_400e9
        default: return nil
        }
        return Int64(exactly: (value * unit).rounded())
    }

    /// A moment: ISO 8601, or a duration before now; nil if the text is neither.
    package static func moment(_ text: String, now: Timestamp, in zone: ClockZone = .utc) -> Timestamp? {
        if let moment = Timestamp(iso8601: text, in: zone) { return moment }
        guard let ago = duration(text) else { return nil }
        return Timestamp(nanoseconds: now.nanoseconds - ago)
    }
}
