/// Splits bytes into pieces, as a network or a disk may deliver them.
struct Splits {
    /// The first byte of the input, which decides how the others are split.
    let seed: UInt8
    let bytes: [UInt8]

    init(_ input: [UInt8]) {
        seed = input.first ?? 0
        bytes = Array(input.dropFirst())
    }

    /// Pieces of random lengths that follow from the seed: mostly short, some longer.
    var drawn: [[UInt8]] {
        var state = UInt64(seed) &+ 1
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let most = state >> 62 == 0 ? 200 : 7
            let count = 1 + Int((state >> 33) % UInt64(most))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// Pieces of one byte each.
    var single: [[UInt8]] { bytes.map { [$0] } }

    /// Returns the result for the bytes in one piece; throws if a split gives another result.
    @discardableResult
    func sameForAll<Result: Equatable>(_ read: ([[UInt8]]) throws -> Result) throws -> Result {
        let whole = try read(bytes.isEmpty ? [] : [bytes])
        for (pieces, name) in [(drawn, "some pieces"), (single, "single bytes")] {
            let result = try read(pieces)
            try mustHold(result == whole, "in \(name): \(result); in one: \(whole)")
        }
        return whole
    }
}

/// Returns a closure that returns the pieces one after the other, and empty ones after the last.
func source(_ pieces: [[UInt8]]) -> () -> [UInt8] {
    var rest = pieces[...]
    return { rest.popFirst() ?? [] }
}
