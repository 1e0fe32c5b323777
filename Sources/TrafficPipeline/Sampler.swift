package import TrafficModel

/// Decides whose rows are kept.
///
/// Totals do not ask it: every exchange still reaches the store.
package struct Sampler: Hashable, Sendable {
    /// One in this many exchanges keeps its rows.
    package let rate: UInt64

    /// A sampler that keeps the rows of one in that many exchanges; 1 or less keeps all.
    package init(oneIn rate: Int = 1) { self.rate = UInt64(max(1, rate)) }

    /// Whether the rows of that exchange are kept.
    ///
    /// The answer depends on the number alone, so a record that is told again gets the same one; numbers that count up
    /// are mixed first, or every N-th request of a regular program would be the same call.
    package func keepsDetail(of exchange: ExchangeID) -> Bool {
        rate == 1 || Self.mixed(UInt64(bitPattern: exchange.rawValue)) % rate == 0
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
