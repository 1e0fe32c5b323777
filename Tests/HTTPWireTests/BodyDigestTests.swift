import HTTPWire
import TestSupport
import Testing

/// XXH3 with 64 bits and no seed, against what the reference implementation says.
@Suite struct BodyDigestTests {
    private func digest(_ pieces: [[UInt8]]) -> UInt64 {
        var digest = BodyDigest()
        for piece in pieces { digest.add(piece) }
        return digest.value
    }

    private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) } }

    @Test(
        arguments: [
            ("", 0x2D06_8005_38D3_94C2), ("a", 0xE6C6_32B6_1E96_4E1F), ("abc", 0x78AF_5F94_892F_3950),
            ("Nobody inspects the spammish repetition", 0x6CB0_0603_B5CC_47E9),
        ] as [(String, UInt64)])
    func texts(_ text: String, expected: UInt64) { #expect(digest([bytes(text)]) == expected) }

    /// Each length is hashed in another way, or is the first or last of its kind.
    @Test(
        arguments: [
            (3, 0x5051_18C3_1312_1C0E), (8, 0x93F1_200F_9BE8_2671), (9, 0x05B2_FD4D_97ED_CDAE),
            (16, 0x2E43_59E2_A04A_5E32), (17, 0xF60C_5368_4BBC_489D), (128, 0x5C6A_B7B5_B236_0539),
            (129, 0x45FA_BBD1_83DE_7649), (240, 0xC079_6428_068C_D12E), (241, 0x859D_C8AB_6DD8_5C7C),
            (256, 0x2998_C04A_1802_8D12), (257, 0xB89B_13A1_CBD6_D586), (512, 0xD022_20E4_B3BF_ACE7),
            (1_024, 0x7DF7_F049_C0C1_AD73), (1_025, 0x29AD_CFCA_C549_2652), (2_112, 0x7DB7_B510_3CE4_DD20),
            (65_536, 0x2B86_9C95_2FE7_3251), (65_600, 0x1648_7E8E_962B_6018),
        ] as [(Int, UInt64)])
    func lengths(_ count: Int, expected: UInt64) { #expect(digest([pattern(count)]) == expected) }

    @Test func everySplitInTwoGivesTheSameDigest() {
        for count in [1, 3, 4, 8, 9, 16, 17, 64, 128, 129, 240, 241, 256, 257, 320, 513] {
            let all = pattern(count)
            let whole = digest([all])
            for cut in 0...count { #expect(digest([Array(all[..<cut]), Array(all[cut...])]) == whole) }
            #expect(digest(all.map { [$0] }) == whole)
        }
    }

    @Test func theValueMayBeAskedForInBetween() {
        var between = BodyDigest()
        for piece in 0..<40 {
            between.add(Array(pattern(4_000)[(piece * 100)..<(piece * 100 + 100)]))
            #expect(between.value == digest([pattern(piece * 100 + 100)]))
        }
    }

    @Test func randomSplitsGiveTheSameDigest() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let all = (0..<Int.random(in: 0...3_000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(digest(randomSplit(all, using: &generator)) == digest([all]))
        }
    }
}
