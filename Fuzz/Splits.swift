/// Pieces of bytes, as a network or a disk may hand them over.
struct Splits {
    /// The first byte of an input says how the others are split.
    let seed: UInt8
    let bytes: [UInt8]

    init(_ input: [UInt8]) {
        seed = input.first ?? 0
        bytes = Array(input.dropFirst())
    }

    /// In pieces whose lengths are drawn by the seed: mostly short ones, and some longer.
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

    /// Each byte by itself.
    var single: [[UInt8]] { bytes.map { [$0] } }

    /// Throws where a split changes what comes of the bytes; returns what comes of them in one piece.
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

/// A closure that gives pieces one after the other, and none at the end.
func source(_ pieces: [[UInt8]]) -> () -> [UInt8] {
    var rest = pieces[...]
    return { rest.popFirst() ?? [] }
}
