import Foundation

/// A pseudo-random generator (SplitMix64), which gives the same numbers on every machine.
struct Chance {
    private var state: UInt64

    /// Makes a generator whose numbers depend only on the seed.
    init(seed: UInt64) { state = seed }

    /// Returns 64 random bits.
    mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a random number in a range.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(bits() % UInt64(range.count))
    }

    /// Returns a random number from 0 to 1.
    mutating func share() -> Double { Double(bits() >> 11) * 0x1p-53 }

    /// Returns true with the given probability.
    mutating func happens(_ likelihood: Double) -> Bool { share() < likelihood }

    /// Returns a random number around a median with a long tail (log-normal).
    mutating func around(_ median: Double, spread: Double) -> Int64 {
        let normal = (-2 * log(1 - share())).squareRoot() * cos(2 * .pi * share())
        return max(1, Int64(min(1e15, median * exp(spread * normal))))
    }
}
