import Foundation
import Wireweight

/// What is at work on this machine.
struct Machine {
    /// A program beside the command, and its version.
    struct Tool {
        let path: String
        let version: String
    }

    /// The kernel's name and release, such as `Linux 6.1.0`.
    let kernel: String
    /// The processor, such as `x86_64`.
    let processor: String
    /// The C library, such as `glibc 2.36`; nil where it does not tell.
    let libc: String?
    /// Where the library lies that is loaded into programs; nil where it is not there.
    let tap: String?
    /// Why it is not there.
    let tapProblem: String?
    /// The libcurls that programs here find.
    let libcurls: [SelfTest.Libcurl]
    /// For comparisons with a capture; nil where it is not installed.
    let tshark: Tool?

    /// Asks this machine.
    init() {
        var name = utsname()
        uname(&name)
        kernel = "\(Self.text(of: name.sysname)) \(Self.text(of: name.release))"
        processor = Self.text(of: name.machine)
        libc = Self.libcVersion
        do throws(RunFailure) {
            tap = try PreloadLibrary.find()
            tapProblem = nil
        } catch {
            tap = nil
            tapProblem = error.message
        }
        libcurls = Self.flavours.compactMap { SelfTest.Libcurl(loading: $0) }.reduce(into: []) { found, next in
            // Debian's names of one flavour may lead to one file.
            if !found.contains(where: { $0.path == next.path }) { found.append(next) }
        }
        tshark = Self.findTshark()
    }

    /// OpenSSL's flavour, and those that Debian has beside it.
    private static let flavours = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"]

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
