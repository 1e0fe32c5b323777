import HTTPWire
import TestSupport
import Testing

/// XXH64 with seed 0 against its published vectors.
@Suite struct BodyDigestTests {
    private func digest(_ pieces: [[UInt8]]) -> UInt64 {
        var digest = BodyDigest()
        for piece in pieces { digest.add(piece) }
        return digest.value
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func publishedVectors(_ text: String, expected: UInt64) { #expect(digest([bytes(text)]) == expected) }

    /// Stripes of 32 bytes, then words of 8, of 4, then bytes: every way through the end.
    @Test func everySplitInTwoGivesTheSameDigest() {
        for count in [1, 3, 4, 7, 8, 12, 31, 32, 33, 63, 64, 65, 100] {
            let all = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
            let whole = digest([all])
            for cut in 0...count { #expect(digest([Array(all[..<cut]), Array(all[cut...])]) == whole) }
            #expect(digest(all.map { [$0] }) == whole)
        }
    }

    @Test func theValueMayBeAskedForInBetween() {
        var digest = BodyDigest()
        digest.add(bytes("Nobody inspects "))
        _ = digest.value
        digest.add([])
        digest.add(bytes("the spammish repetition"))
        #expect(digest.value == 0xFBCE_A83C_8A37_8BF1)
    }

    @Test func randomSplitsGiveTheSameDigest() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let all = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(digest(randomSplit(all, using: &generator)) == digest([all]))
        }
    }
}
