#if os(Linux)
    import CStreamPlay

    extension FuzzTarget {
        /// What moves the first instructions of a function, to make room for a jump to a hook.
        static let movedCode = FuzzTarget(
            name: "code",
            seeds: {
                // push, mov, sub; endbr64, test, js; mov and cmp of a place near by; jmp; REX.W after an operand size; ret
                let codes: [[UInt8]] = [
                    [0x55, 0x48, 0x89, 0xE5, 0x48, 0x83, 0xEC, 0x18],
                    [0xF3, 0x0F, 0x1E, 0xFA, 0x85, 0xFF, 0x78, 0x10, 0x31, 0xC0],
                    [0x8B, 0x05, 0, 1, 0, 0], [0x83, 0x3D, 0, 1, 0, 0, 5, 0x0F, 0x8F, 0, 1, 0, 0], [0xE9, 0, 1, 0, 0],
                    [0x66, 0x48, 0x81, 0xC1, 1, 2, 3, 4], [0xC3],
                    [0xFD, 0x7B, 0xBE, 0xA9, 0xE0, 0x03, 0x00, 0xAA],
                ]
                return codes.map { [3] + $0 }
            },
            run: { input in
                guard let place = input.first else { return }
                let code = Array(input.dropFirst())
                let moved = Moved(code, to: place)
                guard moved.taken > 0 else { return }
                let (least, most) = (4, 4 + 15)
                try mustHold(moved.taken >= least && moved.taken <= most, "\(moved.taken) bytes taken")
                try mustHold(
                    moved.bytes.count >= moved.taken && moved.bytes.count <= 96, "\(moved.bytes.count) bytes made")
                // What follows the instructions that are moved has no part in it.
                let kept = (code + Array(repeating: 0, count: 32)).prefix(moved.taken)
                for filler: UInt8 in [0x00, 0x90, 0xC3, 0xFF] {
                    let same = Moved(kept + Array(repeating: filler, count: 32), to: place)
                    try mustHold(same == moved, "with \(filler) after \(kept): \(same), and not \(moved)")
                }
                // The lengths are the same wherever it goes, unless that is too far.
                let other = Moved(code, to: place ^ 1)
                guard other.taken > 0 else { return }
                try mustHold(
                    other.taken == moved.taken && other.bytes.count == moved.bytes.count, "\(other), and not \(moved)")
                try mustHold(other.goesTo == moved.goesTo, "it goes to \(other.goesTo), and not \(moved.goesTo)")
            })
    }

    private struct Moved: Equatable {
        var taken: Int
        var bytes: [UInt8]
        var goesTo: Int

        init(_ code: [UInt8], to place: UInt8) {
            // Before and after the code, and as far as a page.
            let distance = (Int(place) - 128) * 32
            var moved = code.withUnsafeBufferPointer { csp_move_code($0.baseAddress, $0.count, distance) }
            (taken, goesTo) = (moved.taken, moved.goes_to)
            bytes = withUnsafeBytes(of: &moved.bytes) { Array($0.prefix(moved.size)) }
        }
    }
#endif
