import Wireweight

/// What a program is linked with, and whether libcurl is among it.
struct ProgramLinks {
    /// The way from the program to libcurl, by names: the last one is libcurl's; nil where there is none.
    private(set) var wayToLibcurl: [String]?
    /// Where that libcurl is.
    private(set) var libcurl: String?
    /// All libraries that were found, by name.
    private(set) var libraries: Set<String> = []
    /// Libraries that were not found.
    private(set) var missing: [String] = []
    /// Whether it can load more later: the program, or the language runtime that it is made of.
    private(set) var loadsLater: Bool

    /// More libraries than any program has; a bound on what hostile files can make us read.
    private static let most = 2_000

    /// Follows what the program needs, what that needs, and so on.
    init(_ program: ELFFile, at path: String, _ search: LibrarySearch) {
        loadsLater = Self.opens(program)
        var queue: [(elf: ELFFile, path: String, way: [String])] = [(program, path, [])]
        while !queue.isEmpty {
            let object = queue.removeFirst()
            for name in object.elf.needed where libraries.count < Self.most {
                guard !libraries.contains(name), !missing.contains(name) else { continue }
                guard let found = search.find(name, for: object.path, runPaths: object.elf.runPaths) else {
                    missing.append(name)
                    continue
                }
                libraries.insert(name)
                if wayToLibcurl == nil, Self.base(name).hasPrefix("libcurl") {
                    wayToLibcurl = object.way + [name]
                    libcurl = found.path
                }
                if object.way.isEmpty, Self.runtimes.contains(where: { Self.base(name).hasPrefix($0) }) {
                    loadsLater = loadsLater || Self.opens(found.elf)
                }
                queue.append((found.elf, found.path, object.way + [name]))
            }
        }
    }

    private static func opens(_ elf: ELFFile) -> Bool {
        elf.imports.contains("dlopen") || elf.imports.contains("dlmopen")
    }

    private static func base(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }

    private static let runtimes = [
        "libpython", "libruby", "libperl", "libphp", "liblua", "libguile", "libjvm", "libnode",
    ]
}
