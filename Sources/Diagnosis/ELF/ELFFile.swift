/// A reader for the parts of an ELF file that name its dynamic linker and the libraries it needs.
///
/// It performs no I/O of its own, and trusts nothing in the file.
///
/// The layout is that of the System V ABI, chapters 4 and 5, and of the GNU hash table. It reads 64-bit little-endian
/// files; of other files it reads only the header.
package struct ELFFile {
    /// Returns up to `count` bytes from an offset on; fewer at the file's end.
    package typealias Source = (_ offset: UInt64, _ count: Int) -> [UInt8]

    /// Whether the file is for 64-bit processors.
    package let is64Bit: Bool
    /// Whether numbers have their least significant byte first.
    package let isLittleEndian: Bool
    /// The processor (`EM_X86_64` is 62, `EM_AARCH64` is 183).
    package let machine: UInt16
    /// The dynamic linker that the file requests; nil if it requests none.
    package private(set) var interpreter: String?
    /// The names of the libraries that the file is linked with.
    package private(set) var needed: [String] = []
    /// The folders in which the dynamic linker looks for those libraries first.
    package private(set) var runPaths: [String] = []
    /// The functions and variables that the file imports from libraries.
    package private(set) var imports: Set<String> = []
    /// Whether the Go tool chain made the file.
    package private(set) var isGo = false
    /// Whether an offset in the file points to nothing, or a size in it is implausibly large.
    package private(set) var isDamaged = false

    /// Reads a file piece by piece.
    ///
    /// - Returns: nil if it is not an ELF file, or ends within its header.
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
        if !isGo, let names = Self.sectionNames(head, source) {
            isGo = Self.goSections.contains { names.contains($0) }
        }
    }

    /// Reads a file that is in memory.
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

    /// Returns a piece of the file; marks the file as damaged if the piece is cut short or larger than `most`.
    private mutating func bytes(_ offset: UInt64, _ size: UInt64, most: Int, _ source: Source) -> Bytes {
        guard size <= UInt64(most) else {
            isDamaged = true
            return Bytes([])
        }
        let result = Bytes(source(offset, Int(size)))
        if result.count < Int(size) { isDamaged = true }
        return result
    }

    /// Returns the text at an offset, up to its terminating zero.
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

    // MARK: sections

    /// Sections that the Go tool chain makes; a program whose note was left out still has the second.
    private static let goSections: [[UInt8]] = [".note.go.buildid", ".go.buildinfo"].map { [0] + Array($0.utf8) + [0] }

    /// The names of all sections, each followed by a zero; nil if the file has none.
    ///
    /// A program runs without its sections, so a file without them is not damaged.
    private static func sectionNames(_ head: Bytes, _ source: Source) -> Bytes? {
        guard let table = head.number(40, 8), table > 0, head.number(58, 2) == 64, let index = head.number(62, 2),
            table < UInt64(Int64.max) - index * 64
        else { return nil }
        let section = Bytes(source(table + index * 64, 64))
        guard let offset = section.number(24, 8), let size = section.number(32, 8), size <= 65_536 else { return nil }
        return Bytes(source(offset, Int(size)))
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
        /// The offset in the file of the data that is loaded at an address.
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
            // SHN_UNDEF: another library defines the symbol.
            guard table.number(start + 6, 2) == 0, let name = table.number(start, 4), name != 0 else { continue }
            if let text = text(in: texts, at: name) { imports.insert(text) }
        }
    }

    /// The number of symbols to read so that all imports are among them.
    ///
    /// The GNU hash table contains no imports, and gives the first symbol that it does contain. The older hash table
    /// contains all symbols.
    private func importCount(_ gnu: UInt64?, _ old: UInt64?, _ source: Source) -> UInt64 {
        if let gnu { return Bytes(source(gnu, 8)).number(4, 4) ?? 0 }
        if let old { return Bytes(source(old, 8)).number(4, 4) ?? 0 }
        return 0
    }
}

extension ELFFile {
    /// Bytes whose numbers and texts are read with bounds checks.
    private struct Bytes {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var count: Int { bytes.count }

        /// Whether a sequence of bytes occurs in these.
        func contains(_ wanted: [UInt8]) -> Bool {
            bytes.count >= wanted.count
                && (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
        }

        /// Returns a little-endian number; nil if it does not fit into the bytes.
        func number(_ offset: Int, _ size: Int) -> UInt64? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            var value: UInt64 = 0
            for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
            return value
        }

        /// Returns a text of at most 4,096 bytes; nil if it does not start and end within these bytes.
        func text(at offset: Int) -> String? {
            guard offset >= 0, offset < bytes.count else { return nil }
            let rest = bytes[offset...].prefix(4_097)
            guard let end = rest.firstIndex(of: 0) else { return nil }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
    }
}
