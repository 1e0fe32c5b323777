#if os(Linux)
    import CStreamPlay
    import Testing

    /// What the Arm Architecture Reference Manual says of each instruction that depends on where it is.
    ///
    /// `make arm64` runs instructions in both places.
    @Suite("The first instruction of a function for arm64 does the same where a detour moves it")
    struct MovedInstructionTests {
        private static let from: UInt = 0xAAAA_BBBB_C010
        private static let to: UInt = 0xAAAA_BB0B_0000

        private func move(_ word: UInt32, from: UInt = from, to: UInt = to) -> [UInt32]? {
            var moved = csp_move_arm64(word, from, to)
            guard moved.taken == 4 else { return nil }
            return withUnsafeBytes(of: &moved.bytes) { bytes in
                stride(from: 0, to: moved.size, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
            }
        }

        /// b, from the word with that number of what was moved.
        private func jump(from index: UInt, to target: UInt) -> UInt32 {
            let distance = Int(bitPattern: target &- (Self.to + 4 * index))
            return 0x1400_0000 | UInt32(truncatingIfNeeded: distance >> 2) & 0x03FF_FFFF
        }

        /// movz and three movk of a register.
        private func value(_ value: UInt, _ register: UInt32) -> [UInt32] {
            (0..<4).map { index in
                let part = UInt32(truncatingIfNeeded: value >> (16 * index)) & 0xFFFF
                return (index == 0 ? 0xD280_0000 : 0xF280_0000) | UInt32(index) << 21 | part << 5 | register
            }
        }

        @Test(
            "What does not depend on its place stays",
            arguments: [
                0xA9BE_7BFD, 0xD100_83FF, 0xD503_201F, 0xD503_233F, 0xD503_237F, 0xD503_245F, 0xAA00_03E8, 0x7100_001F,
                0xF940_0008, 0x3940_0008, 0xF81F_0FFE, 0x6DBD_23E9, 0xD53B_D048, 0x5280_0020, 0x9B01_7C00, 0x1AC0_0820,
                0x6F00_E400, 0x1E60_4000, 0x3DC0_0000, 0xD340_FC08, 0x9A80_1028, 0xFA40_0820, 0xF86A_6808,
            ] as [UInt32])
        func stays(_ word: UInt32) {
            #expect(move(word) == [word, jump(from: 1, to: Self.from + 4)])
        }

        @Test("adr and adrp become the address that they mean")
        func addresses() {
            // adr x8, .+36; adr x3, .-4; adrp x8, the next page; adrp x0, 2^32 below
            #expect(move(0x1000_0128) == value(Self.from + 36, 8) + [jump(from: 4, to: Self.from + 4)])
            #expect(move(0x10FF_FFE3) == value(Self.from - 4, 3) + [jump(from: 4, to: Self.from + 4)])
            #expect(move(0xB000_0008) == value(0xAAAA_BBBB_D000, 8) + [jump(from: 4, to: Self.from + 4)])
            #expect(move(0x9080_0000) == value(0xAAA9_BBBB_C000, 0) + [jump(from: 4, to: Self.from + 4)])
        }

        @Test("What a literal has is loaded from its address")
        func literals() {
            let literal = Self.from + 8
            // ldr w1; ldr x1; ldrsw x1; ldr xzr; prfm; ldr s1; ldr d1; ldr q1
            let cases: [(word: UInt32, register: UInt32, load: UInt32)] = [
                (0x1800_0041, 1, 0xB940_0021), (0x5800_0041, 1, 0xF940_0021), (0x9800_0041, 1, 0xB980_0021),
                (0x5800_005F, 17, 0xF940_023F), (0xD800_0040, 17, 0xF980_0220), (0x1C00_0041, 17, 0xBD40_0221),
                (0x5C00_0041, 17, 0xFD40_0221), (0x9C00_0041, 17, 0x3DC0_0221),
            ]
            for (word, register, load) in cases {
                #expect(move(word) == value(literal, register) + [load, jump(from: 5, to: Self.from + 4)])
            }
        }

        @Test("A branch goes where it went, and a call returns into the function")
        func branches() {
            #expect(move(0x1400_0010) == [jump(from: 0, to: Self.from + 64)])
            #expect(move(0x17FF_FFFE) == [jump(from: 0, to: Self.from - 8)])
            #expect(move(0x9400_0010) == value(Self.from + 4, 30) + [jump(from: 4, to: Self.from + 64)])
        }

        @Test("A condition leads over the jump to what follows")
        func conditions() {
            // b.ne, cbz, cbnz, tbz, tbnz, 32 bytes on; tbnz 4 bytes back
            let cases: [(word: UInt32, target: UInt, over: UInt32)] = [
                (0x5400_0101, 32, 0x5400_0041), (0xB400_0100, 32, 0xB400_0040), (0x3500_0102, 32, 0x3500_0042),
                (0x3600_0100, 32, 0x3600_0040), (0xB7F8_0102, 32, 0xB7F8_0042),
                (0x37FF_FFE3, UInt(bitPattern: -4), 0x37F8_0043),
            ]
            for (word, target, over) in cases {
                let expected = [over, jump(from: 1, to: Self.from + 4), jump(from: 2, to: Self.from &+ target)]
                #expect(move(word) == expected, "\(String(word, radix: 16))")
            }
        }

        @Test(
            "What is not known is refused",
            arguments: [
                // ret, br, blr, retaa, svc, brk, eret, mrs of another register, wfe, pacm, bti of no such number
                0xD65F_03C0, 0xD61F_0000, 0xD63F_0000, 0xD65F_0BFF, 0xD400_0001, 0xD420_0000, 0xD69F_03E0, 0xD538_0000,
                0xD503_205F, 0xD503_24FF, 0xD503_25DF,
                // paciasppc, pacnbiasppc, autiasppc, retaasppc: they sign with their own address, or jump
                0xDAC1_A7FE, 0xDAC1_83FE, 0xF380_001F, 0x5500_001F,
                // ldxr, ldadd, ldraa, stg, addg, swp, irg, the whole of SVE and SME, none at all
                0xC85F_7C00, 0xF820_0000, 0xF820_0400, 0xD920_0800, 0x9180_0000, 0xF820_8000, 0x9ADF_1000, 0x0420_0000,
                0x2520_0000, 0x8000_0000, 0x0000_0000, 0xFFFF_FFFF,
            ] as [UInt32])
        func unknown(_ word: UInt32) {
            #expect(move(word) == nil)
        }

        @Test("What means itself would find the jump to the hook, and is refused")
        func itself() {
            // b .; cbnz x0, .; adr x0, .+2; ldr x0, .
            for word in [0x1400_0000, 0xB500_0000, 0x5000_0000, 0x5800_0000] as [UInt32] { #expect(move(word) == nil) }
        }

        @Test("It is refused where a jump does not reach")
        func reach() {
            let farthest: UInt = 1 << 27
            #expect(move(0xD503_201F, to: Self.from + farthest) != nil)
            #expect(move(0xD503_201F, to: Self.from + farthest + 4) == nil)
            // The function itself is near enough, and what it branches to is not.
            #expect(move(0x1400_0010, to: Self.from - farthest + 68) != nil)
            #expect(move(0x1400_0010, to: Self.from - farthest + 64) == nil)
        }
    }
#endif
