internal import HTTPWire

/// Puts the page together: one script, one style sheet, and a page that requests them by what they hold.
///
/// The modules stay as they are, each in a function of its own, in the order in which they need each other; what a
/// module exports is what its function returns. So the page comes in a few requests instead of one for each module,
/// one after the other. What a module imports with `import("./later.js")` is a script of its own, with the modules that
/// only it needs: a function that takes the others.
struct PageBundle {
    /// Something in the page that cannot be put into one script.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private let files: [String: String]
    private let fonts: [String: [UInt8]]

    /// Takes the files by their names.
    init(_ files: [String: String], fonts: [String: [UInt8]] = [:]) {
        self.files = files
        self.fonts = fonts
    }

    /// The files that are served.
    func assets() throws(Refusal) -> [String: PageAsset] {
        var (page, sheets) = try styleSheets(of: file("index.html"))
        var style = ""
        for sheet in sheets { style += try file(sheet) }
        var served: [String: PageAsset] = [:]
        for (name, bytes) in fonts {
            let named = Self.named(name, by: bytes)
            guard style.has("url(\"/\(name)\")") else {
                throw Refusal(description: "no style sheet names \(name)")
            }
            style = style.putting("url(\"/\(named)\")", for: "url(\"/\(name)\")")
            served[named] = PageAsset(font: bytes)
        }
        var scripts = try scripts(from: "app")
        var start = try file("start.js")
        for (module, text) in scripts.later {
            let name = "\(module).js"
            let named = Self.named(name, by: Array(text.utf8))
            served[named] = PageAsset(Self.type(of: "js"), tag: nil, text)
            // The script of a later module is a function of those that it shares with the first.
            scripts.first = scripts.first.putting("import(\"/\(named)\")", for: "import(\"./\(name)\")")
            start = start.putting("\"/\(named)\"", for: "\"/\(name)\"")
        }
        // The page names its icon by what it holds; who remembers the plain name gets it, too.
        let icon = try file("icon.svg")
        let iconName = Self.named("icon.svg", by: Array(icon.utf8))
        served[iconName] = PageAsset(Self.type(of: "svg"), tag: nil, icon)
        page = page.putting("\"/\(iconName)\"", for: "\"/icon.svg\"")
        scripts.first = scripts.first.putting("\"/\(iconName)\"", for: "\"/icon.svg\"")
        for (name, text) in [("style.css", style), ("app.js", scripts.first), ("start.js", start)] {
            let named = Self.named(name, by: Array(text.utf8))
            guard page.has("=\"/\(name)\"") else { throw Refusal(description: "index.html does not name \(name)") }
            page = page.putting("=\"/\(named)\"", for: "=\"/\(name)\"")
            served[named] = PageAsset(Self.type(of: Self.split(name).kind), tag: nil, text)
        }
        for (name, text) in [("index.html", page), ("icon.svg", icon)] {
            served[name] = PageAsset(Self.type(of: Self.split(name).kind), tag: Self.digest(Array(text.utf8)), text)
        }
        return served
    }

    // MARK: the style sheet

    /// The page with one style sheet, and the names of those that it joins.
    private func styleSheets(of page: String) throws(Refusal) -> (page: String, names: [String]) {
        var names: [String] = []
        var lines: [Substring] = []
        for line in page.lines {
            guard line.hasPrefix(Self.sheetStart), line.hasSuffix(".css\">") else {
                lines.append(line)
                continue
            }
            if names.isEmpty { lines.append(Self.sheetStart + "style.css\">") }
            names.append(String(line.dropFirst(Self.sheetStart.count).dropLast(2)))
        }
        guard !names.isEmpty else { throw Refusal(description: "index.html names no style sheet") }
        return (lines.joined(separator: "\n"), names)
    }

    private static let sheetStart: Substring = "<link rel=\"stylesheet\" href=\"/"

    // MARK: the script

    /// All modules that `first` needs, each after those that it needs; and a script for each that it imports later.
    private func scripts(from first: String) throws(Refusal) -> (first: String, later: [(module: String, text: String)])
    {
        var script = Script()
        try add(first, under: [], to: &script)
        var later: [(module: String, text: String)] = []
        var taken = script.modules
        for name in script.later.sorted() {
            var own = Script(modules: taken)
            try add(name, under: [], to: &own)
            guard own.later.isEmpty, own.modules.count > taken.count else {
                throw Refusal(description: "\(name).js is imported at once as well, or imports something later itself")
            }
            let shared = own.needs.intersection(script.modules).sorted().map { Module.variable($0[...]) }
            guard own.needs.isDisjoint(with: taken.subtracting(script.modules)) else {
                throw Refusal(description: "\(name).js needs a module of another later script")
            }
            taken = own.modules
            let taking = "{ \(shared.joined(separator: ", ")) }"
            let call = "import(\"./\(name).js\")"
            script.text = script.text.putting("\(call).then((later) => later.default(\(taking)))", for: call)
            let result = "return \(Module.variable(name[...]));\n"
            later.append((name, "export default (\(taking)) => {\n\(own.text)\(result)};\n"))
        }
        return (script.text, later)
    }

    /// A script that is being put together.
    private struct Script {
        var text = ""
        /// The modules that are in it, or in a script that comes before.
        var modules: Set<String> = []
        /// What its modules import at once, and later.
        var needs: Set<String> = []
        var later: Set<String> = []
    }

    private func add(_ name: String, under path: [String], to script: inout Script) throws(Refusal) {
        guard !script.modules.contains(name) else { return }
        guard !path.contains(name) else {
            throw Refusal(
                description: "modules need each other in a circle: \((path + [name]).joined(separator: " → "))")
        }
        let module = try Module(name, file("\(name).js"))
        for need in module.needs { try add(need, under: path + [name], to: &script) }
        script.modules.insert(name)
        script.needs.formUnion(module.needs)
        script.later.formUnion(module.later)
        script.text += module.function
    }

    private func file(_ name: String) throws(Refusal) -> String {
        guard let text = files[name] else { throw Refusal(description: "the page has no \(name)") }
        return text
    }

    // MARK: names

    private static func split(_ name: String) -> (stem: String, kind: String) {
        let parts = name.split(separator: ".")
        return (String(parts[0]), String(parts[1]))
    }

    private static func type(of kind: String) -> String {
        switch kind {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: "image/svg+xml"
        }
    }

    /// The name with a part that changes with the contents.
    private static func named(_ name: String, by bytes: [UInt8]) -> String {
        let (stem, kind) = split(name)
        return "\(stem).\(digest(bytes).prefix(12)).\(kind)"
    }

    /// Sixteen hexadecimal digits that change with the contents.
    private static func digest(_ bytes: [UInt8]) -> String {
        var digest = BodyDigest()
        digest.add(bytes)
        let digits = String(digest.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A module of the page, as a function.
private struct Module {
    /// The function that makes what the module exports.
    let function: String
    /// The modules that it imports.
    private(set) var needs: [String] = []
    /// The modules that it imports when it comes to that.
    private(set) var later: [String] = []

    /// The forms of `import` and `export` that the page uses; any other is refused.
    init(_ name: String, _ text: String) throws(PageBundle.Refusal) {
        var exports: [Substring] = []
        var lines: [String] = []
        var isComment = false
        for line in text.lines {
            // Comments are for who reads the code; without them, the page comes a fifth sooner. Empty lines keep the
            // numbers of the others.
            let words = Substring(line.utf8.drop { $0 == UInt8(ascii: " ") })
            if isComment || words.hasPrefix("/**") || words.hasPrefix("//") {
                let isBlock = isComment || words.hasPrefix("/**")
                // `/** @type {…} */ (value)` is code.
                let end = isBlock ? words.firstRange(of: "*/")?.upperBound : nil
                guard let end, words[end...].contains(where: { $0 != " " }) else {
                    isComment = isBlock && end == nil
                    lines.append("")
                    continue
                }
                isComment = false
            }
            if line.hasPrefix("import ") {
                guard let (names, module) = Self.imported(line) else { throw Self.unknown(line, in: name) }
                needs.append(String(module))
                lines.append("const { \(names.joined(separator: ", ")) } = \(Self.variable(module));")
            } else if line.hasPrefix("export ") {
                guard let (declaration, exported) = Self.exported(line) else { throw Self.unknown(line, in: name) }
                exports.append(exported)
                lines.append(String(declaration))
            } else {
                // Few lines are worth the pattern.
                if words.has("import(") {
                    later += words.matches(of: /\bimport\("\.\/([a-z-]+)\.js"\)/).map { String($0.1) }
                }
                // Without indentation, too: no text of the page spans lines.
                lines.append(String(words))
            }
        }
        let result = exports.isEmpty ? "" : "return { \(exports.joined(separator: ", ")) };\n"
        let body = lines.joined(separator: "\n")
        function = "const \(Self.variable(name[...])) = (() => {\n\(body)\(result)})();\n"
    }

    private static func unknown(_ line: Substring, in name: String) -> PageBundle.Refusal {
        PageBundle.Refusal(description: "\(name).js: '\(line)' is a form that PageBundle does not know")
    }

    static func variable(_ module: Substring) -> String { "$" + module.replacing("-", with: "_") }

    // import { a, b as c } from "./x.js";
    private static func imported(_ line: Substring) -> (names: [String], module: Substring)? {
        guard line.hasPrefix("import { "), line.hasSuffix(".js\";"), let end = line.firstRange(of: " } from \"./")
        else {
            return nil
        }
        let names = line[..<end.lowerBound].dropFirst("import { ".count).split(separator: ", ")
        return (
            names.map { String($0.replacing(" as ", with: ": ")) }, line[end.upperBound...].dropLast(".js\";".count)
        )
    }

    // export function f, export async function f, export class C, export const c
    private static func exported(_ line: Substring) -> (declaration: Substring, name: Substring)? {
        let declaration = line.dropFirst("export ".count)
        for form in ["async function ", "function ", "class ", "const "] where declaration.hasPrefix(form) {
            let name = declaration.dropFirst(form.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
            return name.isEmpty ? nil : (declaration, name)
        }
        return nil
    }
}
