package import TrafficModel

/// Formats numbers for people: decimal SI units, one decimal place.
package enum Units {
    /// Bytes: `512 B`, `1.2 KB`, `34.5 MB`.
    package static func bytes(_ count: ByteCount) -> String {
        let bytes = UInt64(count.bytes)
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var unit: UInt64 = 1_000
        for name in ["KB", "MB", "GB", "TB", "PB"] {
            let tenths = (bytes + unit / 20) / (unit / 10)
            if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(name)" }
            unit *= 1_000
        }
        let tenths = (bytes + unit / 20) / (unit / 10)
        return "\(tenths / 10).\(tenths % 10) EB"
    }

    /// A duration: `850 µs`, `12.3 ms`, `4.2 s`, `2 min 05 s`, `3 h 02 min`; `–` for nil.
    package static func duration(_ nanoseconds: Int64?) -> String {
        guard let nanoseconds else { return "–" }
        let micros = UInt64(max(0, nanoseconds)) / 1_000
        if micros < 1_000 { return "\(micros) µs" }
        if micros < 999_950 {
            let tenths = (micros + 50) / 100
            return "\(tenths / 10).\(tenths % 10) ms"
        }
        let tenths = (micros + 50_000) / 100_000
        if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
        let seconds = tenths / 10
        if seconds < 3_600 { return "\(seconds / 60) min \(padded(seconds % 60)) s" }
        return "\(seconds / 3_600) h \(padded(seconds / 60 % 60)) min"
    }

    /// A count with separators between thousands: `1,234,567`.
    package static func count(_ count: Int64) -> String {
        let digits = Array(String(count.magnitude))
        var result = count < 0 ? "-" : ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0 && (digits.count - offset) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }

    /// A share as `87.3 %`, rounded down: 100 % means all, and 0 % means nothing.
    package static func percent(_ share: Double) -> String {
        let tenths = Int64((max(0, min(1, share)) * 1_000).rounded(.down))
        if tenths == 1_000 { return "100 %" }
        if tenths == 0 { return share > 0 ? "<0.1 %" : "0 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// A ratio as `4.2×`; `–` for nil.
    package static func ratio(_ ratio: Double?) -> String {
        guard let ratio else { return "–" }
        let tenths = Int64(min(ratio * 10, 1e12).rounded())
        return "\(tenths / 10).\(tenths % 10)×"
    }

    package static func padded(_ number: some BinaryInteger, to digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
