import Foundation
import WireweightTesting

/// What was built beside these tests.
enum Built {
    private static let folder: URL = {
        let binary = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: binary).deletingLastPathComponent()
    }()

    /// The command.
    static let command = folder.appendingPathComponent("wireweight").path

    /// The library that the command loads into programs.
    static let tap = folder.appendingPathComponent("libWireweightPreload.so").path

    /// Whether the command and that library are there; `make build` makes both.
    static let isComplete = [command, tap].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
    }

    /// Whether the proxy is there, too; `make proxy` makes it.
    static let hasProxy = FileManager.default.fileExists(atPath: folder.appendingPathComponent("wireweight-proxy").path)

    static func has(_ tools: String...) -> Bool { tools.allSatisfy { Tool.path(of: $0) != nil } }

    /// One of the C programs in Tests/Programs, compiled once.
    static func program(_ name: String) throws -> String { try programs.get(name) }

    private static let programs = Programs()

    /// Whether the flavour of libcurl is there that Debian's git uses.
    ///
    /// Its own headers are not needed: they are the same.
    static let hasGnuTLS = hasLibrary(gnuTLS)

    private static let gnuTLS = "libcurl-gnutls.so.4"

    /// Whether the library of GnuTLS is there.
    static let hasGnuTLSItself = hasLibrary(gnuTLSItself)

    private static let gnuTLSItself = "libgnutls.so.30"

    private static func hasLibrary(_ name: String) -> Bool {
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
            .contains { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
    }

    /// Whether programs can be built on OpenSSL.
    static let hasOpenSSL = FileManager.default.fileExists(atPath: "/usr/include/openssl/ssl.h")

    private final class Programs: @unchecked Sendable {
        // Guarded by the lock.
        private var made: [String: String] = [:]
        private let lock = NSLock()

        func get(_ name: String) throws -> String {
            lock.lock()
            defer { lock.unlock() }
            if let path = made[name] { return path }
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Programs")
            let words = name.split(separator: "-")
            let source = sources.appendingPathComponent("\(words[0]).c").path
            let path = folder.appendingPathComponent("test-program-\(name)").path
            guard let compiler = ["clang", "cc", "gcc"].lazy.compactMap({ Tool.path(of: $0) }).first else {
                throw Failed("there is no C compiler")
            }
            let result = try Tool.run(
                compiler,
                ["-O1", "-pthread", "-o", path, source] + Self.options(of: name, kind: words.dropFirst().first))
            guard result.status == 0 else { throw Failed(result.errors) }
            made[name] = path
            return path
        }

        private static let rooms = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources").path

        // The code of the tap that they try.

        private static let detours = [
            "-D_GNU_SOURCE", "-I\(rooms)/CStreamHooks", "-I\(rooms)/CStreamTap/include",
            "\(rooms)/CStreamHooks/detour.c", "\(rooms)/CStreamTap/moved_code.c", "\(rooms)/CStreamTap/moved_arm64.c",
        ]

        private static let channel = [
            "-D_GNU_SOURCE", "-I\(rooms)/WireweightPreload", "-I\(rooms)/CCurlTap", "-I\(rooms)/CCurlTap/include",
            "-I\(rooms)/CHTTPWire/include", "\(rooms)/WireweightPreload/channel.c", "\(rooms)/CCurlTap/clock.c",
            "\(rooms)/CCurlTap/shared_ring.c",
        ]

        /// The whole tap, for programs that start it themselves.
        private static let within: [String] = {
            let folders = ["CHTTPWire", "CCurlTap", "CStreamTap", "CStreamHooks"].map { "\(rooms)/\($0)" }
            let sources = folders.flatMap { folder in
                let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return files.filter { $0.hasSuffix(".c") }.sorted().map { "\(folder)/\($0)" }
            }
            return ["-D_GNU_SOURCE", "-g"] + folders.flatMap { ["-I\($0)/include", "-I\($0)"] } + sources + ["-ldl"]
        }()

        /// `NAME-static` is the program NAME without a dynamic linker, `NAME-go` one with a mark of Go's, `NAME-exported` one
        /// whose functions others may call, `NAME-stripped` one without names, `NAME-silent` and `NAME-apart` ones that do not say
        /// which random a session has, `NAME-half` and `NAME-silenthalf` ones of which a function cannot be hooked, `NAME-hidden`
        /// one that sends and receives by other functions, `NAME-within` one that starts the tap itself, `NAME-gnutls` the one on
        /// the other flavour of libcurl, `NAME-plugin` what it loads: a library on that flavour; `NAME-library` is one on the usual
        /// flavour, and `NAME-shim` one to be loaded in front of the C library; `NAME-extension` is one on OpenSSL.
        private static func options(of name: String, kind: Substring?) -> [String] {
            switch kind {
            case "static": ["-static"]
            case "go": ["-DGO"]
            case "gnutls": ["-l:\(gnuTLS)"]
            case "library": ["-shared", "-fPIC", "-DPLUGIN", "-lcurl"]
            case "shim": ["-shared", "-fPIC", "-D_GNU_SOURCE", "-ldl"]
            case "plugin": ["-shared", "-fPIC", "-DPLUGIN", "-l:\(gnuTLS)"]
            case "extension": ["-shared", "-fPIC", "-D_GNU_SOURCE", "-DPLUGIN", "-lssl", "-lcrypto"]
            case "exported": ["-DEXPORTED", "-rdynamic"]
            case "stripped": ["-s"]
            case "silent": ["-DSILENT"]
            case "apart": ["-DSILENT", "-DAPART"]
            case "half": ["-DHALF", "-no-pie"]
            case "hidden": ["-DHIDDEN"]
            case "silenthalf": ["-DSILENT", "-DHALF", "-no-pie"]
            case "within": ["-DWITHIN"] + within + (name.hasPrefix("bios") ? ["-lssl", "-lcrypto"] : [])
            case nil where name == "within": within
            case nil where name == "detours": detours
            case nil where name == "channel": channel
            case nil where name == "forms": ["-lssl", "-lcrypto", "-l:\(gnuTLSItself)"]
            case nil where name == "bios": ["-D_GNU_SOURCE", "-lssl", "-lcrypto"]
            case nil where name == "filtered": []
            case nil where name == "deep": ["-D_GNU_SOURCE", "-ldl"]
            // Libraries call into it.
            case nil where ["closings", "forkings"].contains(name): ["-D_GNU_SOURCE", "-rdynamic", "-lcurl", "-ldl"]
            default: name == "late" ? ["-ldl"] : ["-lcurl", "-ldl"]
            }
        }
    }
}
