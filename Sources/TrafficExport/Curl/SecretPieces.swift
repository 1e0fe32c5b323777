import ASCIIBytes

/// A text with redacted secrets, split at the marks that replaced them: `[redacted 32 B]` in fields, `(redacted-32-B)`
/// in URLs.
struct SecretPieces {
    enum Piece: Hashable {
        case text(String)
        /// The shell variable that holds the secret.
        case secret(String)
    }

    private(set) var pieces: [Piece] = []

    /// Splits a text into pieces.
    ///
    /// - Parameters:
    ///   - text: the text, with its secrets redacted.
    ///   - fallback: the name for a secret that the text gives no name.
    ///   - prefix: goes before each name that the text gives.
    ///   - names: gives each secret a variable of its own.
    init(_ text: String, fallback: String, prefix: String = "", names: inout VariableNames) {
        var rest = text[...]
        while let mark = Self.nextMark(in: rest) {
            let before = rest[..<mark.lowerBound]
            if !before.isEmpty { pieces.append(.text(String(before))) }
            let name = Self.name(before: before).map { prefix + $0 } ?? fallback
            pieces.append(.secret(names.variable(for: name)))
            rest = rest[mark.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
    }

    private static let marks = [("[redacted ", " B]"), ("(redacted-", "-B)")]

    private static func nextMark(in text: Substring) -> Range<Substring.Index>? {
        let utf8 = text.utf8
        var index = utf8.startIndex
        while let begin = utf8[index...].firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "(") }) {
            index = begin
            for (open, close) in marks where utf8[index...].starts(with: open.utf8) {
                let digits = utf8[index...].dropFirst(open.utf8.count)
                let end = digits.firstIndex { !ASCII.isDigit($0) } ?? utf8.endIndex
                guard end > digits.startIndex, utf8[end...].starts(with: close.utf8) else { continue }
                return index..<utf8.index(end, offsetBy: close.utf8.count)
            }
            index = utf8.index(after: index)
        }
        return nil
    }

    /// The secret's name: `token` in `?token=`, `reset-password` in `/reset-password/`; nil if it has none.
    private static func name(before text: Substring) -> String? {
        guard let last = text.utf8.last, last == UInt8(ascii: "=") || last == UInt8(ascii: "/") else { return nil }
        let name = text.utf8.dropLast().reversed().prefix {
            ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0)
        }
        return name.isEmpty ? nil : String(decoding: name.reversed(), as: UTF8.self)
    }
}

/// The shell variables of one command.
struct VariableNames {
    private(set) var all: [String] = []

    /// Adds a variable of that name, with a number appended if another secret has the name.
    mutating func variable(for name: String) -> String {
        var base = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        if base.first?.isNumber ?? true { base.insert("_", at: base.startIndex) }
        var variable = String(base)
        if Self.taken.contains(variable) { variable += "_VALUE" }
        let first = variable
        var number = 1
        while all.contains(variable) {
            number += 1
            variable = "\(first)_\(number)"
        }
        all.append(variable)
        return variable
    }

    /// Names of variables that the shell or the system uses.
    private static let taken: Set = ["PWD", "OLDPWD", "PATH", "HOME", "USER", "SHELL", "IFS", "LD_PRELOAD", "_"]
}
