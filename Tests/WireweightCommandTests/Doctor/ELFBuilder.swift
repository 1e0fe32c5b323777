/// Writes small ELF files: a header, program headers, and the tables that a dynamic section points to.
struct ELFBuilder {
    var machine: UInt16 = 62
    var interpreter: String? = "/lib64/ld-linux-x86-64.so.2"
    var needed = ["libcurl.so.4", "libc.so.6"]
    var runPath: String? = "$ORIGIN/../lib"
    var imports = ["dlopen", "execve"]
    /// What it has itself, and other objects may take from it.
    var exports = ["main_symbol"]
    var hasGNUHash = true
    var isGo = false
    /// The names of its sections, which have no contents; none means that it has no section table.
    var sections: [String] = []

    /// Where everything is loaded: no address is its place in the file.
    private static let base: UInt64 = 0x40_0000

    var bytes: [UInt8] {
        var strings: [UInt8] = [0]
        func string(_ text: String) -> UInt64 {
            defer { strings += Array(text.utf8) + [0] }
            return UInt64(strings.count)
        }
        let libraries = needed.map(string)
        let run = runPath.map(string)
        var symbols = [UInt8](repeating: 0, count: 24)
        for (name, section) in imports.map({ ($0, 0) }) + exports.map({ ($0, 7) }) {
            symbols += number(string(name), 4) + [0x12, 0] + number(UInt64(section), 2) + number(0, 16)
        }
        let hash =
            hasGNUHash
            ? number(1, 4) + number(UInt64(1 + imports.count), 4) + number(0, 8)
            : number(1, 4) + number(UInt64(1 + imports.count + exports.count), 4)
        let interpreterText: [UInt8] = interpreter.map { Array($0.utf8) + [0] } ?? []
        let note: [UInt8] = number(4, 4) + number(8, 4) + number(4, 4) + Array("Go\0\0".utf8) + number(0, 8)
        let notes: [UInt8] = isGo ? note : []

        let headerCount = 2 + (interpreter == nil ? 0 : 1) + (isGo ? 1 : 0)
        var place = UInt64(64 + headerCount * 56)
        var pieces: [UInt8] = []
        func put(_ piece: [UInt8]) -> UInt64 {
            defer {
                pieces += piece
                place += UInt64(piece.count)
            }
            return place
        }
        let interpreterAt = put(interpreterText)
        let notesAt = put(notes)
        let (stringsAt, symbolsAt, hashAt) = (put(strings), put(symbols), put(hash))
        var dynamic: [(UInt64, UInt64)] = libraries.map { (1, $0) }
        if let run { dynamic.append((29, run)) }
        dynamic += [
            (5, Self.base + stringsAt), (10, UInt64(strings.count)), (6, Self.base + symbolsAt),
            (hasGNUHash ? 0x6FFF_FEF5 : 4, Self.base + hashAt), (0, 0),
        ]
        let entries = dynamic.flatMap { number($0.0, 8) + number($0.1, 8) }
        let dynamicAt = put(entries)

        func header(_ type: UInt64, _ offset: UInt64, _ size: Int) -> [UInt8] {
            number(type, 4) + number(4, 4) + number(offset, 8) + number(Self.base + offset, 8) + number(0, 8)
                + number(UInt64(size), 8) + number(UInt64(size), 8) + number(1, 8)
        }
        var headers = header(1, 0, Int(place)) + header(2, dynamicAt, entries.count)
        if interpreter != nil { headers += header(3, interpreterAt, interpreterText.count) }
        if isGo { headers += header(4, notesAt, notes.count) }
        var names: [UInt8] = [0]
        for section in sections { names += Array(section.utf8) + [0] }
        let namesAt = place
        // A section of zeros comes first; this one has the names.
        let none = [UInt8](repeating: 0, count: 64)
        let table =
            none + number(1, 4) + number(3, 4) + number(0, 16) + number(namesAt, 8) + number(UInt64(names.count), 8)
            + number(0, 24)
        let tableAt = sections.isEmpty ? 0 : namesAt + UInt64(names.count)
        if !sections.isEmpty { pieces += names + table }
        let identity: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        let start = identity + number(3, 2) + number(UInt64(machine), 2) + number(1, 4) + number(0, 8) + number(64, 8)
        let rest = number(tableAt, 8) + number(0, 4) + number(64, 2) + number(56, 2) + number(UInt64(headerCount), 2)
        let ends = sections.isEmpty ? number(0, 6) : number(64, 2) + number(2, 2) + number(1, 2)
        return start + rest + ends + headers + pieces
    }

    private func number(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
    }
}
