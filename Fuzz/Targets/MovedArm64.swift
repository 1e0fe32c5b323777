#if os(Linux)
    import CStreamPlay

    extension FuzzTarget {
        /// What moves the first instruction of a function for arm64, on any processor.
        static let movedArm64 = FuzzTarget(
            name: "code-arm64",
            seeds: {
                // stp, paciasp, adrp, adr, ldr of a literal into a register and a vector, prfm, b, bl, b.ne, cbz, tbnz, ret
                let words: [UInt32] = [
                    0xA9BE_7BFD, 0xD503_233F, 0xB000_0008, 0x1000_0100, 0x5800_0041, 0x9C00_0041, 0xD800_0040,
                    0x1400_0010,
                    0x9400_0010, 0x5400_0101, 0xB400_0100, 0x37F8_0102, 0xD65F_03C0,
                ]
                return words.map { word in [0, 3] + (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            },
            run: { input in
                guard input.count >= 6 else { return }
                let word = (2..<6).reduce(UInt32(0)) { $0 | UInt32(input[$1]) << (8 * ($1 - 2)) }
                let from: UInt = 0xAAAA_0000_0000 + UInt(input[0]) * 4
                let places = [
                    from - 0x10_0000 - UInt(input[1]) * 0x1000, from + 0x700_0000 - UInt(input[1]) * 0x1000,
                ]
                let moved = places.map { Instructions(word, from: from, to: $0) }
                for each in moved where each.taken > 0 {
                    try mustHold(each.taken == 4, "\(each.taken) bytes taken")
                    try mustHold((1...7).contains(each.words.count), "\(each.words) made")
                    // Only branches know where they are, and a condition leads over the next of them.
                    for word in each.words {
                        let isRelative = word & 0x1F00_0000 == 0x1000_0000 || word & 0x3B00_0000 == 0x1800_0000
                        try mustHold(!isRelative, "\(each.words): relative to its place")
                    }
                    for target in each.targets {
                        try mustHold(target != from, "\(each.words): goes to the jump to the hook")
                    }
                    try mustHold(!each.targets.isEmpty, "\(each.words): nothing goes on")
                }
                if moved.allSatisfy({ $0.taken > 0 }) {
                    try mustHold(moved[0] == moved[1], "\(moved[0]) there and \(moved[1]) elsewhere")
                }
            })
    }

    /// What an instruction has become: words in which branches have no distance, and where these branches go.
    private struct Instructions: Equatable {
        var taken: Int
        var words: [UInt32] = []
        var targets: [UInt] = []

        init(_ word: UInt32, from: UInt, to: UInt) {
            var moved = csp_move_arm64(word, from, to)
            taken = moved.taken
            withUnsafeBytes(of: &moved.bytes) { bytes in
                for place in stride(from: 0, to: moved.size, by: 4) {
                    let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    guard word & 0x7C00_0000 == 0x1400_0000 else {
                        words.append(word)
                        continue
                    }
                    words.append(word & 0xFC00_0000)
                    let distance = Int(Int32(bitPattern: word << 6) >> 6) * 4
                    targets.append(to &+ UInt(place) &+ UInt(bitPattern: distance))
                }
            }
        }
    }
#endif
