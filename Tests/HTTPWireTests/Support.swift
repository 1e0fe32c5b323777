/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Cuts bytes at random places; pieces may be empty.
func randomSplit(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [[UInt8]] {
    var cuts = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        Int.random(in: 0...bytes.count, using: &generator)
    }
    cuts = [0] + cuts.sorted() + [bytes.count]
    return zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
}
