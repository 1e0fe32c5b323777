/// An ELF file, as far as it tells who loads it and what it needs; a pure reader that trusts nothing in it.
///
/// The layout is that of the System V ABI, chapters 4 and 5, and of the GNU hash table, for 64-bit little-endian files;
/// of others only the kind is read.
package struct ELFFile {
    /// Bytes from an offset on: as many as are wanted, or fewer at the file's end.
    package typealias Source = (_ offset: UInt64, _ count: Int) -> [UInt8]

    /// Whether it is for processors of 64 bits.
    package let is64Bit: Bool
    /// Whether its numbers have their least byte first.
    package let isLittleEndian: Bool
    /// The processor (`EM_X86_64` is 62, `EM_AARCH64` 183).
    package let machine: UInt16
    /// The dynamic linker that it asks for; nil where it asks for none.
    package private(set) var interpreter: String?
    /// The libraries that it is linked with, by name.
    package private(set) var needed: [String] = []
    /// Where it has those looked for before anywhere else.
    package private(set) var runPaths: [String] = []
    /// The functions and variables that it takes from libraries.
    package private(set) var imports: Set<String> = []
    /// Whether Go's tool chain made it.
    package private(set) var isGo = false
    /// Whether something in it points where nothing is, or where more is than makes sense.
    package private(set) var isDamaged = false

    /// Reads a file.
    ///
    /// - Returns: nil where it is no ELF file at all, or ends within its header.
    package init?(_ source: Source) {
        let head = Bytes(source(0, 64))
        guard head.count >= 20, head.number(0, 4) == 0x464C_457F, let kind = head.number(4, 1),
            let order = head.number(5, 1)
        else { return nil }
        is64Bit = kind == 2
        isLittleEndian = order == 1
        let machine = head.number(18, 2) ?? 0
        self.machine = UInt16(truncatingIfNeeded: isLittleEndian ? machine : (machine >> 8) | (machine & 0xFF) << 8)
        guard is64Bit, isLittleEndian else { return }
        guard head.count == 64, let table = head.number(32, 8), let size = head.number(54, 2),
            let count = head.number(56, 2), count == 0 || size == 56
        else {
            isDamaged = true
            return
        }
        let headers = Bytes(source(table, Int(count) * 56))
        if headers.count < Int(count) * 56 { isDamaged = true }
        readSegments((0..<headers.count / 56).map { Segment(headers, at: $0 * 56) }, source)
    }

    /// Reads what lies in memory.
    package init?(_ bytes: [UInt8]) {
        self.init { offset, count in
            guard offset < UInt64(bytes.count) else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
    }

    // MARK: segments

    /// An entry of the program header table.
    private struct Segment {
        let type: UInt64
        let offset: UInt64
        let address: UInt64
        let size: UInt64

        init(_ bytes: Bytes, at start: Int) {
            type = bytes.number(start, 4) ?? 0
            offset = bytes.number(start + 8, 8) ?? 0
            address = bytes.number(start + 16, 8) ?? 0
            size = bytes.number(start + 32, 8) ?? 0
        }
    }

    private mutating func readSegments(_ segments: [Segment], _ source: Source) {
        for segment in segments {
            switch segment.type {
            case 3:  // PT_INTERP
                interpreter = text(in: bytes(segment.offset, segment.size, most: 4_096, source), at: 0)
            case 4:  // PT_NOTE
                readNotes(bytes(segment.offset, segment.size, most: 65_536, source))
            case 2:  // PT_DYNAMIC
                let entries = bytes(segment.offset, segment.size, most: 1 << 20, source)
                readDynamic(entries, segments.filter { $0.type == 1 }, source)
            default: break
            }
        }
    }

    /// A piece of the file that should be there as a whole, and not be larger than makes sense.
    private mutating func bytes(_ offset: UInt64, _ size: UInt64, most: Int, _ source: Source) -> Bytes {
        guard size <= UInt64(most) else {
            isDamaged = true
            return Bytes([])
        }
        let result = Bytes(source(offset, Int(size)))
        if result.count < Int(size) { isDamaged = true }
        return result
    }

    /// A text up to its zero.
    private mutating func text(in bytes: Bytes, at offset: UInt64) -> String? {
        guard let offset = Int(exactly: offset), let text = bytes.text(at: offset) else {
            isDamaged = true
            return nil
        }
        return text
    }

    private mutating func readNotes(_ notes: Bytes) {
        var offset = 0
        while let nameSize = notes.number(offset, 4), let size = notes.number(offset + 4, 4) {
            let name = offset + 12
            if nameSize == 4, notes.number(name, 4) == 0x6F47 { isGo = true }  // "Go", two zeros
            // Both are at most 4 GiB, and a file's offsets have 63 bits.
            offset = name + Int((nameSize + 3) & ~3) + Int((size + 3) & ~3)
        }
    }

    // MARK: the dynamic section

    private mutating func readDynamic(_ entries: Bytes, _ loaded: [Segment], _ source: Source) {
        var values: [UInt64: UInt64] = [:]
        var names: [(tag: UInt64, offset: UInt64)] = []
        for start in stride(from: 0, to: entries.count - 15, by: 16) {
            guard let tag = entries.number(start, 8), let value = entries.number(start + 8, 8), tag != 0 else { break }
            // DT_NEEDED, DT_RPATH, DT_RUNPATH
            if [1, 15, 29].contains(tag) { names.append((tag, value)) } else { values[tag] = value }
        }
        /// Where in the file lies what is loaded at that address.
        func place(_ address: UInt64?) -> UInt64? {
            guard let address else { return nil }
            let segment = loaded.first { address >= $0.address && address - $0.address < $0.size }
            return segment.flatMap { found in
                let (sum, overflow) = found.offset.addingReportingOverflow(address - found.address)
                return overflow ? nil : sum
            }
        }
        // DT_STRTAB and DT_STRSZ
        guard let strings = place(values[5]), let size = values[10] else {
            if !names.isEmpty { isDamaged = true }
            return
        }
        let texts = bytes(strings, size, most: 64 << 20, source)
        for (tag, offset) in names {
            guard let text = text(in: texts, at: offset), !text.isEmpty else { continue }
            if tag == 1 { needed.append(text) } else { runPaths += text.split(separator: ":").map(String.init) }
        }
        // DT_SYMTAB
        guard let symbols = place(values[6]) else { return }
        let count = importCount(place(values[0x6FFF_FEF5]), place(values[4]), source)
        let table = bytes(symbols, count * 24, most: 24 << 20, source)
        for start in stride(from: 24, to: table.count - 23, by: 24) {
            // SHN_UNDEF: it is to come from elsewhere.
            guard table.number(start + 6, 2) == 0, let name = table.number(start, 4), name != 0 else { continue }
            if let text = text(in: texts, at: name) { imports.insert(text) }
        }
    }

    /// Up to where in the symbol table imports are.
    ///
    /// The GNU hash table holds no imports, and says at which symbol it begins; the older one has all symbols.
    private func importCount(_ gnu: UInt64?, _ old: UInt64?, _ source: Source) -> UInt64 {
        if let gnu { return Bytes(source(gnu, 8)).number(4, 4) ?? 0 }
        if let old { return Bytes(source(old, 8)).number(4, 4) ?? 0 }
        return 0
    }
}

extension ELFFile {
    /// Bytes whose numbers are asked for with care.
    private struct Bytes {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var count: Int { bytes.count }

        /// A little-endian number; nil where it is not all there.
        func number(_ offset: Int, _ size: Int) -> UInt64? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            var value: UInt64 = 0
            for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
            return value
        }

        /// A text of at most 4,096 bytes; nil where it does not begin or end here.
        func text(at offset: Int) -> String? {
            guard offset >= 0, offset < bytes.count else { return nil }
            let rest = bytes[offset...].prefix(4_097)
            guard let end = rest.firstIndex(of: 0) else { return nil }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
    }
}
