/// A square of dark and light modules that a camera reads as a text (ISO/IEC 18004).
///
/// The text is encoded as bytes with the lowest level of error correction, in the versions 1 to 6: up to 134 bytes,
/// which is enough for the address of a page.
package struct QRCode: Sendable {
    /// The modules of a side, without the light frame around them.
    package var size: Int { grid.isDark.count }
    private var grid: Grid

    /// The modules by row, and which of them hold no data.
    private struct Grid: Sendable {
        var isDark: [[Bool]]
        var isReserved: [[Bool]]

        init(size: Int) {
            isDark = Array(repeating: Array(repeating: false, count: size), count: size)
            isReserved = isDark
        }

        mutating func reserve(_ x: Int, _ y: Int, _ dark: Bool) {
            isDark[y][x] = dark
            isReserved[y][x] = true
        }
    }

    /// Blocks, bytes of data in each, and bytes of correction after each, of the versions 1 to 6 at level L (table 9).
    private static let layouts = [(1, 19, 7), (1, 34, 10), (1, 55, 15), (1, 80, 20), (1, 108, 26), (2, 68, 18)]

    /// Makes a code for a text; nil if it is longer than 134 bytes in UTF-8.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Four bits for the kind of data, eight for its length, and four that end it.
        guard let index = Self.layouts.firstIndex(where: { $0.0 * $0.1 >= bytes.count + 2 }) else { return nil }
        let (blocks, length, correction) = Self.layouts[index]
        grid = Grid(size: 21 + 4 * index)
        drawPatterns(hasAlignment: index > 0)
        draw(Self.codewords(of: bytes, blocks: blocks, length: length, correction: correction))
        // The mask whose result is the easiest to read.
        if let best = (0..<8).map({ masking($0) }).min(by: { $0.penalty < $1.penalty }) { self = best }
    }

    /// Whether the module is dark; what is outside is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && grid.isDark[y][x]
    }

    // MARK: data

    private static func codewords(of bytes: [UInt8], blocks: Int, length: Int, correction: Int) -> [UInt8] {
        // Bytes are four bits later in the data than they would be alone.
        let content = [UInt8(4 << 4), UInt8(bytes.count)] + bytes
        var data = [content[0] | content[1] >> 4]
        for place in 1..<content.count {
            data.append(content[place] << 4 | (place + 1 < content.count ? content[place + 1] >> 4 : 0))
        }
        for pad in 0..<blocks * length - data.count { data.append(pad.isMultiple(of: 2) ? 0xEC : 0x11) }
        let parts = (0..<blocks).map { Array(data[$0 * length..<($0 + 1) * length]) }
        let rests = parts.map { Self.correction(of: $0, count: correction) }
        // The blocks are interleaved byte by byte.
        return (0..<length).flatMap { place in parts.map { $0[place] } }
            + (0..<correction).flatMap { place in rests.map { $0[place] } }
    }

    /// The rest of a division of polynomials over GF(2⁸): Reed and Solomon's code.
    private static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        var divisor = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for place in 0..<count {
                divisor[place] = product(divisor[place], root) ^ (place + 1 < count ? divisor[place + 1] : 0)
            }
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for place in 0..<count { rest[place] ^= product(divisor[place], factor) }
        }
        return rest
    }

    /// A product modulo x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) &* 0x1D
            result ^= (other >> UInt8(bit) & 1) &* one
        }
        return result
    }

    // MARK: drawing

    private mutating func drawPatterns(hasAlignment: Bool) {
        for place in 0..<size {
            grid.reserve(6, place, place.isMultiple(of: 2))
            grid.reserve(place, 6, place.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquares(x, y, reach: 4, light: [2, 4]) }
        if hasAlignment { drawSquares(size - 7, size - 7, reach: 2, light: [1]) }
        drawFormat(mask: 0)
    }

    /// Squares around a module, one in the other; those at the distances that are named are light.
    private mutating func drawSquares(_ x: Int, _ y: Int, reach: Int, light: Set<Int>) {
        for down in max(0, y - reach)...min(size - 1, y + reach) {
            for right in max(0, x - reach)...min(size - 1, x + reach) {
                grid.reserve(right, down, !light.contains(max(abs(right - x), abs(down - y))))
            }
        }
    }

    /// The level of correction and the mask, twice (7.9.1).
    private mutating func drawFormat(mask: Int) {
        let data = 1 << 3 | mask
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let format = (data << 10 | rest) ^ 0x5412
        for bit in 0..<15 {
            let isDark = format >> bit & 1 == 1
            // Around the first square, past the line of module 6; and beside the other two.
            switch bit {
            case 0..<6: grid.reserve(8, bit, isDark)
            case 6, 7: grid.reserve(8, bit + 1, isDark)
            case 8: grid.reserve(7, 8, isDark)
            default: grid.reserve(14 - bit, 8, isDark)
            }
            if bit < 8 { grid.reserve(size - 1 - bit, 8, isDark) } else { grid.reserve(8, size - 15 + bit, isDark) }
        }
        grid.reserve(8, size - 8, true)
    }

    /// Draws bits from the lower right corner on, in columns of two that go up and down in turn (7.7.3).
    private mutating func draw(_ codewords: [UInt8]) {
        var bit = 0
        // The column of module 6 has no data.
        for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !grid.isReserved[y][x] {
                    // What is left over at the end stays light.
                    guard bit < codewords.count * 8 else { return }
                    grid.isDark[y][x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
        }
    }

    private func masking(_ mask: Int) -> QRCode {
        var result = self
        result.drawFormat(mask: mask)
        for y in 0..<size {
            for x in 0..<size where !grid.isReserved[y][x] && Self.inverts(mask, x, y) {
                result.grid.isDark[y][x].toggle()
            }
        }
        return result
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// What makes a code hard to read: long lines and squares of one colour, what looks like a corner, and too much of
    /// one colour (7.8.3).
    private var penalty: Int {
        let columns = (0..<size).map { x in (0..<size).map { grid.isDark[$0][x] } }
        var sum = (grid.isDark + columns).reduce(0) { $0 + Self.penalty(of: $1) }
        for y in 1..<size {
            for x in 1..<size {
                let corner = grid.isDark[y][x]
                let others = [grid.isDark[y - 1][x], grid.isDark[y][x - 1], grid.isDark[y - 1][x - 1]]
                if others.allSatisfy({ $0 == corner }) { sum += 3 }
            }
        }
        let dark = grid.isDark.reduce(0) { $0 + $1.count { $0 } }
        return sum + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }

    private static func penalty(of line: [Bool]) -> Int {
        var sum = 0
        var run = 0
        for place in line.indices {
            run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
        }
        let corner = [true, false, true, true, true, false, true]
        let room = [false, false, false, false]
        for pattern in [corner + room, room + corner] {
            for place in 0...line.count - pattern.count where line[place..<place + pattern.count].elementsEqual(pattern)
            {
                sum += 40
            }
        }
        return sum
    }
}
