internal import Diagnosis
internal import Foundation

/// Finds libraries as the dynamic linker does: in a program's own folders, in LD_LIBRARY_PATH, and in the system's.
package struct LibrarySearch {
    private let given: [String]
    private let system: [String]

    /// Makes the search that this machine's dynamic linker performs.
    package init() {
        given = (Environment.current.value(of: "LD_LIBRARY_PATH") ?? "").split { $0 == ":" || $0 == ";" }
            .map(String.init)
        system = Self.folders(in: "/etc/ld.so.conf", depth: 0) + Self.usual
    }

    /// Makes a search in the given folders only.
    package init(folders: [String]) {
        given = folders
        system = []
    }

    private static let usual: [String] = {
        #if arch(arm64)
            let name = "aarch64-linux-gnu"
        #else
            let name = "x86_64-linux-gnu"
        #endif
        return ["/lib/\(name)", "/usr/lib/\(name)", "/lib64", "/usr/lib64", "/lib", "/usr/lib"]
    }()

    /// The folders that a configuration file of the dynamic linker names, and those of the files that it includes.
    private static func folders(in file: String, depth: Int) -> [String] {
        guard depth < 4, let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").flatMap { line -> [String] in
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map(String.init)
            if words.first == "include" {
                return words.dropFirst().flatMap(included).flatMap { folders(in: $0, depth: depth + 1) }
            }
            return words.first.map { $0.hasPrefix("/") ? [$0] : [] } ?? []
        }
    }

    /// The files that match a pattern such as `/etc/ld.so.conf.d/*.conf`.
    private static func included(_ pattern: String) -> [String] {
        guard let star = pattern.firstIndex(of: "*"), let slash = pattern[..<star].lastIndex(of: "/") else {
            return [pattern]
        }
        let (folder, end) = (String(pattern[..<slash]), pattern[pattern.index(after: star)...])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(end) }.sorted().map { "\(folder)/\($0)" }
    }

    /// Finds a library that an object needs.
    ///
    /// - Parameters:
    ///   - name: the library's name in the object.
    ///   - object: the path of the object.
    ///   - runPaths: the folders that the object names for the search.
    /// - Returns: the library's path and its ELF file; nil if it is not found.
    func find(_ name: String, for object: String, runPaths: [String]) -> (path: String, elf: ELFFile)? {
        let place = URL(fileURLWithPath: object).resolvingSymlinksInPath().path
        let own = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? "."
        let folders = runPaths.map {
            $0.replacingOccurrences(of: "${ORIGIN}", with: own).replacingOccurrences(of: "$ORIGIN", with: own)
        }
        let candidates = name.contains("/") ? [name] : (given + folders + system).map { "\($0)/\(name)" }
        for candidate in candidates {
            // Folders for other processors contain libraries of the same names.
            guard let file = FilePieces(candidate), let elf = ELFFile({ file.read($0, $1) }),
                elf.isOurs
            else { continue }
            return (candidate, elf)
        }
        return nil
    }
}
