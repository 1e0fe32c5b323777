/// Undoes DEFLATE (RFC 1951) and the two wrappings in which HTTP sends it, up to a limit.
///
/// What is cut or damaged gives what came before, so that the first bytes of a long body can still be shown. Foundation
/// on Linux has no decompressor, and a library would be one more for every adopter to install.
struct Inflater {
    /// How the end was reached.
    enum Ending: Hashable {
        case whole, cut, malformed, limit
    }

    private let input: [UInt8]
    private let limit: Int
    private var position: Int
    private var bits: UInt32 = 0
    private var bitCount: UInt32 = 0
    private var output: [UInt8] = []

    private init(_ input: [UInt8], from position: Int, limit: Int) {
        self.input = input
        self.position = position
        self.limit = limit
    }

    /// The content of a gzip member (RFC 1952, section 2.3).
    static func gzip(_ input: [UInt8], limit: Int) -> (bytes: [UInt8], ending: Ending) {
        guard input.count >= 10 else { return ([], .cut) }
        guard input[0] == 0x1F, input[1] == 0x8B, input[2] == 8 else { return ([], .malformed) }
        let flags = input[3]
        var start = 10
        if flags & 4 != 0 {
            guard start + 2 <= input.count else { return ([], .cut) }
            start += 2 + Int(input[start]) + Int(input[start + 1]) << 8
        }
        // A name, then a comment, each up to its NUL.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard start < input.count, let end = input[start...].firstIndex(of: 0) else { return ([], .cut) }
            start = end + 1
        }
        if flags & 2 != 0 { start += 2 }
        guard start <= input.count else { return ([], .cut) }
        var inflater = Inflater(input, from: start, limit: limit)
        return inflater.run()
    }

    /// The content of `deflate`: in zlib's wrapping (RFC 1950), or without, as some servers send it
    /// (RFC 9110, section 8.4.1.2).
    static func deflate(_ input: [UInt8], limit: Int) -> (bytes: [UInt8], ending: Ending) {
        let isWrapped =
            input.count >= 2 && input[0] & 0x0F == 8 && (Int(input[0]) << 8 + Int(input[1])) % 31 == 0
        var inflater = Inflater(input, from: isWrapped ? 2 : 0, limit: limit)
        return inflater.run()
    }

    private struct Stop: Error {
        var ending: Ending
    }

    private mutating func run() -> (bytes: [UInt8], ending: Ending) {
        do {
            var isLast = false
            while !isLast {
                isLast = try take(1) == 1
                switch try take(2) {
                case 0: try copyStored()
                case 1: try expand(.fixedLengths, .fixedDistances)
                case 2:
                    let (lengths, distances) = try readCodes()
                    try expand(lengths, distances)
                default: throw Stop(ending: .malformed)
                }
            }
            return (output, .whole)
        } catch {
            return (output, (error as? Stop)?.ending ?? .malformed)
        }
    }

    private mutating func take(_ count: UInt32) throws -> Int {
        while bitCount < count {
            guard position < input.count else { throw Stop(ending: .cut) }
            bits |= UInt32(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << count) - 1)
        bits >>= count
        bitCount -= count
        return Int(value)
    }

    private mutating func append(_ byte: UInt8) throws {
        guard output.count < limit else { throw Stop(ending: .limit) }
        output.append(byte)
    }

    private mutating func copyStored() throws {
        // The rest of the byte is filling.
        bits = 0
        bitCount = 0
        let length = try take(16)
        guard try take(16) == length ^ 0xFFFF else { throw Stop(ending: .malformed) }
        for _ in 0..<length { try append(UInt8(try take(8))) }
    }

    // MARK: Codes

    /// A canonical Huffman code: how many symbols have each length, and the symbols in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: [Int]) throws {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var left = 1
            for length in 1..<16 {
                left = left << 1 - counts[length]
                if left < 0 { throw Stop(ending: .malformed) }
            }
            for length in 1..<16 {
                for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
            }
        }

        private init(known lengths: [Int]) {
            // Those of RFC 1951, section 3.2.6, are whole.
            for length in lengths { counts[length] += 1 }
            for length in 1..<16 {
                for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
            }
        }

        static let fixedLengths = Code(
            known: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
        static let fixedDistances = Code(known: [Int](repeating: 5, count: 30))
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1..<16 {
            value |= try take(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + (value - first)] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Stop(ending: .malformed)
    }

    /// RFC 1951, section 3.2.7.
    private mutating func readCodes() throws -> (Code, Code) {
        let lengthCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw Stop(ending: .malformed) }
        var lengths = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(codeCount) {
            lengths[place] = try take(3)
        }
        let code = try Code(lengths)
        var all: [Int] = []
        while all.count < lengthCount + distanceCount {
            let symbol = try symbol(code)
            switch symbol {
            case 0..<16: all.append(symbol)
            case 16:
                guard let last = all.last else { throw Stop(ending: .malformed) }
                all += [Int](repeating: last, count: try take(2) + 3)
            case 17: all += [Int](repeating: 0, count: try take(3) + 3)
            default: all += [Int](repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == lengthCount + distanceCount else { throw Stop(ending: .malformed) }
        return (try Code(Array(all[..<lengthCount])), try Code(Array(all[lengthCount...])))
    }

    /// RFC 1951, section 3.2.5: the bases and how many bits follow.
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits: [UInt32] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]

    private mutating func expand(_ lengths: Code, _ distances: Code) throws {
        while true {
            let symbol = try symbol(lengths)
            if symbol < 256 {
                try append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengthBases.count else { throw Stop(ending: .malformed) }
            let length = try Self.lengthBases[symbol - 257] + take(Self.lengthBits[symbol - 257])
            let place = try self.symbol(distances)
            guard place < Self.distanceBases.count else { throw Stop(ending: .malformed) }
            let distance = try Self.distanceBases[place] + take(UInt32(max(0, place / 2 - 1)))
            guard distance <= output.count else { throw Stop(ending: .malformed) }
            for _ in 0..<length { try append(output[output.count - distance]) }
        }
    }
}
