internal import Diagnosis

/// The libraries that a program is linked with, and whether libcurl is one of them.
struct ProgramLinks {
    /// The chain of library names from the program to libcurl, which is the last; nil if there is no libcurl.
    private(set) var wayToLibcurl: [String]?
    /// The path of that libcurl.
    private(set) var libcurl: String?
    /// The functions that the program and its own libraries import; those of the C library call others without that.
    private(set) var imports: Set<String>
    /// The names of all libraries that were found.
    private(set) var libraries: Set<String> = []
    /// The paths of the language runtimes among them.
    private(set) var runtimes: [String] = []
    /// The names of libraries that were not found.
    private(set) var missing: [String] = []
    /// Whether the program, or the language runtime that it is linked with, can load more libraries later.
    private(set) var loadsLater: Bool

    /// The most libraries to follow: more than any program has, and a bound on what hostile files can make us read.
    private static let most = 2_000

    /// Follows the libraries that the program needs, those that they need, and so on.
    init(_ program: ELFFile, at path: String, _ search: LibrarySearch) {
        loadsLater = Self.opens(program)
        imports = program.imports
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
                if object.way.isEmpty, Self.languages.contains(where: { Self.base(name).hasPrefix($0) }) {
                    runtimes.append(found.path)
                    loadsLater = loadsLater || Self.opens(found.elf)
                }
                if !Self.isOfSystem(name) { imports.formUnion(found.elf.imports) }
                queue.append((found.elf, found.path, object.way + [name]))
            }
        }
    }

    private static func opens(_ elf: ELFFile) -> Bool {
        elf.imports.contains("dlopen") || elf.imports.contains("dlmopen")
    }

    /// Whether a library is a part of the C library, or of a compiler.
    private static func isOfSystem(_ name: String) -> Bool {
        ["libc.", "ld-linux", "libm.", "libpthread.", "libdl.", "librt.", "libresolv.", "libstdc++.", "libgcc_s."]
            .contains {
                base(name).hasPrefix($0)
            }
    }

    private static func base(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }

    private static let languages = [
        "libpython", "libruby", "libperl", "libphp", "liblua", "libguile", "libjvm", "libnode",
    ]
}
