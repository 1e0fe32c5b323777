import Foundation
import GRDB
internal import TrafficModel

/// The SQL function that compares a text or a blob with a pattern.
///
/// Its first argument is a pattern as a text. A blob is a kept body, whose content is compared, too, if it is compressed.
/// Each connection compiles a pattern once.
final class PatternFunction {
    /// The name of the function.
    static let name = "wireweight_matches"

    private var compiled: [String: (matcher: PatternMatcher, place: TextPattern.Place)] = [:]

    /// Adds the function to a connection, which must not be used by two threads at once.
    static func add(to database: Database) {
        nonisolated(unsafe) let memory = PatternFunction()
        database.add(
            function: DatabaseFunction(name, argumentCount: 2, pure: true) { arguments in
                guard case .string(let parameter) = arguments[0].storage, let entry = memory.entry(parameter) else {
                    return false
                }
                return switch arguments[1].storage {
                case .string(let text): entry.matcher.matches(text, entry.place)
                case .blob(let data):
                    entry.matcher.matches([UInt8](data)[...], entry.place)
                        || data.withUnsafeBytes { KeptBody.content($0) }
                            .map { entry.matcher.matches($0[...], entry.place) } ?? false
                default: false
                }
            })
    }

    // The first character is the form, the second the case. The texts of a wildcard are joined by asterisks.
    static func parameter(_ pattern: TextPattern) -> String {
        let fold = pattern.foldsCase ? "i" : "c"
        return switch pattern.form {
        case .plain(let text): "=\(fold)\(text)"
        case .wildcard(let pieces):
            "*\(fold)"
                + pieces.map { $0.replacing("\\", with: "\\\\").replacing("*", with: "\\*") }.joined(separator: "*")
        case .regular(let regular): "~\(fold)\(regular.source)"
        }
    }

    private static func pieces(_ text: String) -> [String] {
        var pieces = [""]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
            } else if !isEscaped, scalar == "*" {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return pieces
    }

    private func entry(_ parameter: String) -> (matcher: PatternMatcher, place: TextPattern.Place)? {
        if let known = compiled[parameter] { return known }
        let foldsCase = parameter.dropFirst().first == "i"
        let text = String(parameter.dropFirst(2))
        let pattern: TextPattern
        var place = TextPattern.Place.part
        switch parameter.first {
        case "*":
            pattern = TextPattern(.wildcard(Self.pieces(text)), foldsCase: foldsCase)
            place = .whole
        case "~":
            guard let regular = try? RegularPattern(text, foldsCase: foldsCase) else { return nil }
            pattern = TextPattern(.regular(regular), foldsCase: foldsCase)
        default: pattern = TextPattern(text, foldsCase: foldsCase)
        }
        if compiled.count > 100 { compiled.removeAll() }
        let entry = (PatternMatcher(pattern), place)
        compiled[parameter] = entry
        return entry
    }
}
