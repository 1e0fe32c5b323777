internal import TrafficModel

/// The signatures of the exchanges with a range of numbers, of which 64 blocks have one each.
///
/// Its words are those signatures across: bit 5 of a word says whether the sequences of that place are in block 5. So a
/// search reads one word for each sequence, and has the answer for all blocks. Words are little-endian in the store, as
/// on the machines that Swift runs on.
struct SearchChunk: Sendable {
    /// How many blocks a chunk has, one for each bit of a word.
    static let blocks: Int64 = 64

    /// The numbers of the exchanges.
    let numbers: ClosedRange<Int64>
    private(set) var words: [UInt64]

    /// A chunk whose blocks have no sequences yet.
    init(_ numbers: ClosedRange<Int64>) {
        self.numbers = numbers
        words = [UInt64](repeating: 0, count: TextSignature.places)
    }

    /// The block of an exchange.
    func block(of number: Int64) -> Int64 {
        (number - numbers.lowerBound) / ((numbers.upperBound - numbers.lowerBound + 1) / Self.blocks)
    }

    /// The numbers of the exchanges of a block.
    func numbers(ofBlock block: Int64) -> ClosedRange<Int64> { Self.numbers(ofBlock: block, in: numbers) }

    /// The numbers of the exchanges of a block of a chunk with those numbers.
    static func numbers(ofBlock block: Int64, in numbers: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let length = (numbers.upperBound - numbers.lowerBound + 1) / blocks
        let first = numbers.lowerBound + block * length
        return first...(first + length - 1)
    }

    /// Adds the sequences of a block.
    mutating func add(_ signature: TextSignature, toBlock block: Int64) {
        let bit: UInt64 = 1 << UInt64(block)
        words.withUnsafeMutableBufferPointer { words in
            signature.forEachPlace { words[$0] |= bit }
        }
    }

    /// Says that any sequence may be in a block.
    mutating func leaveOut(block: Int64) {
        let bit: UInt64 = 1 << UInt64(block)
        for place in words.indices { words[place] |= bit }
    }

    /// The blocks that may match, as bits.
    func candidates(_ query: SignatureQuery) -> UInt64 { words.withUnsafeBytes { query.candidates($0) ?? .max } }
}

extension SignatureQuery {
    /// The blocks of a chunk that may match, as bits.
    ///
    /// - Parameter words: the chunk's words.
    /// - Returns: nil if these are not the words of a chunk.
    func candidates(_ words: UnsafeRawBufferPointer) -> UInt64? {
        guard words.count == TextSignature.places * MemoryLayout<UInt64>.size else { return nil }
        return candidates { words.loadUnaligned(fromByteOffset: $0 * MemoryLayout<UInt64>.size, as: UInt64.self) }
    }
}
