package import TrafficModel

/// Decides which exchanges keep their rows.
///
/// It does not affect totals: every exchange still reaches the store.
package struct Sampler: Hashable, Sendable {
    /// One exchange of this number keeps its rows.
    package let rate: UInt64

    /// A sampler that keeps the rows of one exchange of `rate`; 1 or less keeps all.
    package init(oneIn rate: Int = 1) { self.rate = UInt64(max(1, rate)) }

    /// Whether the rows of that exchange are kept.
    ///
    /// The result depends only on the number, so a later record of the same exchange gets the same result. The numbers
    /// count up, so they are mixed first; otherwise every N-th request of a regular program would be the same call.
    package func keepsDetail(of exchange: ExchangeID) -> Bool {
        rate == 1 || Self.mixed(UInt64(bitPattern: exchange.rawValue)) % rate == 0
    }

    /// Mixes the bits of a number, with the finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
