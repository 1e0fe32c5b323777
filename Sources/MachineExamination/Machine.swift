internal import Diagnosis
internal import Foundation

/// The versions of the system, the tap and the tools on this machine.
struct Machine {
    /// Another program and its version.
    struct Tool {
        let path: String
        let version: String
    }

    /// The kernel's name and release, such as `Linux 6.1.0`.
    let kernel: String
    /// The processor, such as `x86_64`.
    let processor: String
    /// The C library, such as `glibc 2.36`; nil if it does not report its version.
    let libc: String?
    /// The path of the library that is loaded into programs; nil if it was not found.
    let tap: String?
    /// Why that library was not found; nil if it was.
    let tapProblem: String?
    /// The libcurls that the dynamic linker finds.
    let libcurls: [SelfTest.Libcurl]
    /// The tshark that `wireweight verify` uses to read captures; nil if it is not installed.
    let tshark: Tool?

    /// Collects the versions of this machine.
    init() {
        (kernel, processor, libc) = Self.system
        do throws(RunFailure) {
            tap = try PreloadLibrary.find()
            tapProblem = nil
        } catch {
            tap = nil
            tapProblem = error.message
        }
        libcurls = Self.flavours.compactMap { SelfTest.Libcurl(loading: $0) }.reduce(into: []) { found, next in
            // On Debian, several names may lead to the same file.
            if !found.contains(where: { $0.path == next.path }) { found.append(next) }
        }
        tshark = Self.findTshark()
    }

    /// The names of libcurl: the usual one, and those that Debian adds for other TLS libraries.
    private static let flavours = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"]

    /// The kernel's name and release, the processor, and the C library.
    static var system: (kernel: String, processor: String, libc: String?) {
        var name = utsname()
        uname(&name)
        let kernel = "\(text(of: name.sysname)) \(text(of: name.release))"
        return (kernel, text(of: name.machine), libcVersion)
    }

    private static func text<Value>(of characters: Value) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static var libcVersion: String? {
        var buffer = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count) > 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func findTshark() -> Tool? {
        guard let path = try? Program.find(SystemString("tshark".utf8CString)).shown, let folder = try? PrivateFolder()
        else { return nil }
        defer { folder.remove() }
        let outcome = try? Probe(folder: folder.path).run([path, "--version"], seconds: 10)
        // `TShark (Wireshark) 4.0.17 (Git v4.0.17 …).`
        let words = outcome?.output.split(separator: "\n").first?.split(separator: " ") ?? []
        guard let version = words.first(where: { $0.first?.isNumber == true }) else { return nil }
        return Tool(path: path, version: String(version.prefix { $0.isNumber || $0 == "." }))
    }
}
