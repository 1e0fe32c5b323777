import TestSupport

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Cuts bytes at random places; pieces may be empty.
func randomSplit(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [[UInt8]] {
    var cuts = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        Int.random(in: 0...bytes.count, using: &generator)
    }
    cuts = [0] + cuts.sorted() + [bytes.count]
    return zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
}
