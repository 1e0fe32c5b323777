import TrafficModel

extension Units {
    /// How one figure became another: `+12.5 %`, `−3.0 %`, `0 %`; `–` if it was 0 before.
    package static func change(from before: Double, to after: Double) -> String {
        if before == after { return "0 %" }
        guard before > 0 else { return "–" }
        let tenths = ((after - before) / before * 1_000).rounded(.toNearestOrAwayFromZero)
        let sign = after > before ? "+" : "−"
        guard tenths != 0 else { return "\(sign)<0.1 %" }
        // Above this, a percentage says less than the figures beside it.
        guard abs(tenths) < 1e9 else { return ">+99,999,999 %" }
        let size = Int64(abs(tenths))
        return size < 1_000 ? "\(sign)\(size / 10).\(size % 10) %" : "\(sign)\(count((size + 5) / 10)) %"
    }

    /// A figure before and after, or one figure if they are equal: `1 → 2` or `1`.
    package static func passage(_ before: String?, _ after: String?) -> String {
        switch (before, after) {
        case (let before?, let after?): before == after ? after : "\(before) → \(after)"
        case (let only?, nil), (nil, let only?): only
        case (nil, nil): "–"
        }
    }
}
