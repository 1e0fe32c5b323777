extension ELFFile {
    /// Whether a file defines a function of each of these names, among those that it exports or in its symbol table.
    ///
    /// It reads 64-bit little-endian files (System V ABI, chapter 4), and trusts nothing in them.
    package static func defines(_ names: [String], _ source: Source) -> Bool {
        let head = source(0, 64)
        guard head.count == 64, head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), number(head, 58, 2) == 64 else {
            return false
        }
        let sections = source(number(head, 40, 8), Int(number(head, 60, 2)) * 64)
        let tables = stride(from: 0, to: sections.count - sections.count % 64, by: 64).filter {
            [symbolTable, exportedSymbols].contains(number(sections, $0 + 4, 4))
        }
        return tables.contains { table in
            let strings = Int(number(sections, table + 40, 4)) * 64
            guard strings + 64 <= sections.count else { return false }
            return defines(names, symbols: content(table, sections, source), content(strings, sections, source))
        }
    }

    private static let symbolTable: UInt64 = 2
    private static let exportedSymbols: UInt64 = 11
    private static let function: UInt8 = 2
    /// The longest table that is read.
    private static let most: UInt64 = 1 << 28

    private static func content(_ section: Int, _ sections: [UInt8], _ source: Source) -> [UInt8] {
        source(number(sections, section + 24, 8), Int(min(number(sections, section + 32, 8), most)))
    }

    private static func defines(_ names: [String], symbols: [UInt8], _ strings: [UInt8]) -> Bool {
        // A linker lets a name be the end of another one, so a name can be anywhere.
        var missing = names.map { name in Set(places(of: Array(name.utf8) + [0], in: strings)) }
        guard missing.allSatisfy({ !$0.isEmpty }) else { return false }
        for symbol in stride(from: 0, to: symbols.count - symbols.count % 24, by: 24)
        where symbols[symbol + 4] & 15 == function && number(symbols, symbol + 6, 2) != 0 {
            let name = Int(number(symbols, symbol, 4))
            missing.removeAll { $0.contains(name) }
            if missing.isEmpty { return true }
        }
        return false
    }

    private static func places(of text: [UInt8], in strings: [UInt8]) -> [Int] {
        var places: [Int] = []
        var start = strings.startIndex
        while let first = strings[start...].firstIndex(of: text[0]) {
            if strings[first...].starts(with: text) { places.append(first) }
            start = first + 1
        }
        return places
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> UInt64 {
        bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
