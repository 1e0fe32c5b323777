import Foundation
import Testing
import WireweightTesting

@testable import Diagnosis
@testable import MachineExamination

/// Whether a program can be metered, judged from its file.
@Suite("A program that the doctor looks at")
struct ProgramDiagnosisTests {
    private func diagnosis(_ path: String) throws -> ProgramDiagnosis { ProgramDiagnosis(try Program(name: path)) }

    /// Makes an executable file and looks at it.
    private func diagnosis(of bytes: [UInt8], mode: Int = 0o755, name: String = "program") throws -> ProgramDiagnosis {
        try withFolder { folder in
            let path = folder.appendingPathComponent(name).path
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return try diagnosis(path)
        }
    }

    private var builder: ELFBuilder {
        var builder = ELFBuilder()
        builder.machine = ELFFile.ownMachine
        builder.needed = []
        builder.imports = []
        return builder
    }

    @Test("that is linked with libcurl can be metered", .enabled(if: Built.has("curl")))
    func linked() throws {
        let curl = try diagnosis("curl")
        #expect(curl.verdict == .yes)
        #expect(curl.metering == .exact)
        #expect(curl.advice == nil)
        #expect(curl.reason == "it is linked with libcurl.so.4")
        #expect(curl.libcurl?.hasSuffix("/libcurl.so.4") == true)
    }

    @Test("that is linked with it through Foundation can be metered", .enabled(if: Built.isComplete))
    func linkedThroughFoundation() throws {
        let own = try diagnosis(Built.command)
        #expect(own.verdict == .yes)
        #expect(own.reason.contains("libcurl.so.4"))
    }

    @Test("that loads libcurl late may be metered")
    func late() throws {
        let late = try diagnosis(try Built.program("late"))
        #expect(late.verdict == .maybe)
        #expect(late.metering == .exact)
        #expect(late.reason.contains("can load libcurl or a TLS library later"))
        #expect(late.libcurl == nil)
    }

    @Test("that is statically linked cannot be metered")
    func isStatic() throws {
        let program = try diagnosis(try Built.program("inheritance-static"))
        #expect(program.verdict == .no)
        #expect(program.metering == .nothing)
        #expect(program.reason == "it is statically linked, so nothing can be loaded into it")
        #expect(program.advice?.hasPrefix("Use a build that is linked dynamically.") == true)
    }

    @Test("for another processor, or another C library, cannot be metered")
    func foreign() throws {
        var other = builder
        other.machine = 8
        #expect(try diagnosis(of: other.bytes).reason == "it is built for another processor than the tap")
        other = builder
        other.interpreter = "/lib/ld-musl-x86_64.so.1"
        let musl = try diagnosis(of: other.bytes)
        #expect(musl.verdict == .no)
        #expect(musl.reason == "it uses the dynamic linker 'ld-musl-x86_64.so.1', but the tap is built for glibc's")
    }

    @Test("with another user's rights cannot be metered", .enabled(if: getuid() == 0, "needs to give files away"))
    func setUserID() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("program").path
            try Data(builder.bytes).write(to: URL(fileURLWithPath: path))
            #expect(chown(path, 1, 1) == 0)
            #expect(chmod(path, 0o4755) == 0)
            let program = try diagnosis(path)
            #expect(program.verdict == .no)
            #expect(program.reason.contains("runs with another user's or group's rights"))
            // A script's bit means nothing.
            try Data("#!\(path)\n".utf8).write(to: folder.appendingPathComponent("script"))
            let script = folder.appendingPathComponent("script").path
            #expect(chown(path, 0, 0) == 0 && chmod(path, 0o755) == 0)
            #expect(chown(script, 1, 1) == 0 && chmod(script, 0o4755) == 0)
            #expect(!(try diagnosis(script).reason.contains("rights")))
        }
    }

    @Test("that is a script is what its interpreter is", .enabled(if: Built.has("curl")))
    func script() throws {
        let curl = try #require(Tool.path(of: "curl"))
        for line in ["#!\(curl) -s", "#!/usr/bin/env curl", "#! /usr/bin/env -S curl -s"] {
            let script = try diagnosis(of: Array("\(line)\n".utf8))
            #expect(script.verdict == .yes, "\(line)")
            #expect(script.interpreters.last?.hasSuffix("/curl") == true)
            #expect(script.reason.hasSuffix("is linked with libcurl.so.4"))
        }
        let plain = try diagnosis(of: Array("echo no magic number\n".utf8))
        #expect(plain.verdict == .maybe)
        #expect(plain.reason.contains("a shell runs it"))
    }

    @Test("of Go's shows nothing, however it is linked")
    func go() throws {
        var go = builder
        go.isGo = true
        for interpreter in [go.interpreter, nil] {
            go.interpreter = interpreter
            let program = try diagnosis(of: go.bytes)
            #expect(program.verdict == .no)
            #expect(program.metering == .nothing)
            #expect(
                program.reason
                    == "it is a Go program, which makes its system calls itself, so nothing in it can be hooked")
            #expect(program.advice?.contains("--open-tls") == true)
        }
        // A build without the note still has the section.
        go.isGo = false
        go.interpreter = builder.interpreter
        go.sections = [".text", ".go.buildinfo"]
        #expect(try diagnosis(of: go.bytes).metering == .nothing)
        go.sections = [".text", ".not.go.buildinfo"]
        #expect(try diagnosis(of: go.bytes).reason.contains("Go") == false)
    }

    @Test("with a TLS of its own shows only connections of HTTPS, and it is said whose TLS it is")
    func ownTLS() throws {
        func title(_ program: ProgramDiagnosis) -> Substring {
            #expect(program.verdict == .maybe)
            #expect(program.metering == .connectionBytes)
            #expect(program.advice != nil)
            return program.reason.prefix { $0 != ";" }
        }
        #expect(
            title(try diagnosis(of: builder.bytes, name: "node"))
                == "it is Node with OpenSSL inside it, whose functions have no names")
        #expect(
            title(try diagnosis(of: builder.bytes, name: "java"))
                == "it is a Java virtual machine, whose TLS is written in Java")
        #expect(
            title(try diagnosis(of: Array("#!/bin/sh\n".utf8), name: "chromium"))
                == "it is a browser with a TLS of its own")
        let firefox = try diagnosis(of: Array("#!/bin/sh\n".utf8), name: "firefox")
        #expect(firefox.reason == "it is Firefox, whose TLS is NSS: its HTTP is metered, except over QUIC")
        let texts = [
            "rustls": "/root/.cargo/registry/src/index/rustls-0.23.5/src/lib.rs", "OpenSSL": "../ssl/statem/statem.c",
            "BoringSSL": "OpenSSL 1.1.1 (compatible; BoringSSL)", "Mbed TLS": "mbed TLS 3.6.0",
        ]
        for (name, text) in texts {
            // Across the end of a piece of the search.
            for padding in [0, (1 << 20) - builder.bytes.count - 4] {
                let bytes = builder.bytes + [UInt8](repeating: 0, count: padding) + Array(text.utf8)
                #expect(title(try diagnosis(of: bytes)) == "it has \(name) inside it, whose calls are not seen")
            }
        }
        // Linked with the shared library, it may contain that library's texts, too.
        var linked = builder
        linked.needed = ["libssl.so.3"]
        try withFolder { folder in
            try Data(builder.bytes).write(to: folder.appendingPathComponent("libssl.so.3"))
            let path = folder.appendingPathComponent("node").path
            try Data(linked.bytes + Array("../ssl/statem/statem.c".utf8)).write(to: URL(fileURLWithPath: path))
            #expect(chmod(path, 0o755) == 0)
            let node = ProgramDiagnosis(try Program(name: path), LibrarySearch(folders: [folder.path]))
            #expect(node.metering == .exact)
            #expect(node.reason.hasPrefix("it is linked with libssl.so.3"))
            linked.needed = ["libmbedtls.so.14"]
            try Data(builder.bytes).write(to: folder.appendingPathComponent("libmbedtls.so.14"))
            let client = folder.appendingPathComponent("client").path
            try Data(linked.bytes).write(to: URL(fileURLWithPath: client))
            #expect(chmod(client, 0o755) == 0)
            let other = ProgramDiagnosis(try Program(name: client), LibrarySearch(folders: [folder.path]))
            #expect(title(other) == "it uses the TLS of libmbedtls.so.14, which the tap does not know")
            // NSS's.
            linked.needed = ["libssl3.so"]
            try Data(builder.bytes).write(to: folder.appendingPathComponent("libssl3.so"))
            try Data(linked.bytes).write(to: URL(fileURLWithPath: client))
            let known = ProgramDiagnosis(try Program(name: client), LibrarySearch(folders: [folder.path]))
            #expect(known.metering == .exact)
            #expect(known.reason.hasPrefix("it is linked with libssl3.so"))
        }
    }

    @Test(
        "that is an interpreter whose modules load OpenSSL later is exact, unless OpenSSL is inside it",
        arguments: [("python3.99", "Python"), ("ruby", "Ruby"), ("perl", "Perl"), ("php8.2", "PHP")])
    func languages(name: String, language: String) throws {
        var interpreter = builder
        interpreter.imports = ["dlopen"]
        let program = try diagnosis(of: interpreter.bytes, name: name)
        #expect(program.verdict == .yes)
        #expect(program.metering == .exact)
        #expect(program.reason.hasPrefix("it is \(language), whose modules load OpenSSL"))
        let whole = try diagnosis(of: interpreter.bytes + Array("ssl/statem/statem.c".utf8), name: name)
        #expect(whole.metering == .connectionBytes)
    }

    @Test(
        "on this machine: what is known of real programs",
        arguments: ["python3", "perl", "ruby", "php", "wget", "node"].map { "/usr/bin/\($0)" })
    func real(path: String) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        #expect(try diagnosis(path).metering == .exact)
    }

    @Test(
        "with a TLS library inside it is exact if its functions have names",
        arguments: [("inner-exported", true), ("inner", true), ("inner-stripped", false)])
    func inner(program: String, hasNames: Bool) throws {
        let path = try Built.program(program)
        let reason = try diagnosis(path).reason
        #expect(reason.contains("has OpenSSL or BoringSSL inside it, whose functions have names") == hasNames)
        // Cut anywhere, or with any byte another one, it is read without harm.
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        for count in stride(from: 0, to: bytes.count, by: 97) {
            _ = try diagnosis(of: Array(bytes.prefix(count)))
        }
        for place in Array(0..<64) + Array(stride(from: 64, to: bytes.count, by: 61)) {
            var other = bytes
            other[place] ^= 0xFF
            _ = try diagnosis(of: other)
        }
    }

    @Test("that starts others may be metered through them; one that can do nothing of it cannot")
    func others() throws {
        var starter = builder
        starter.imports = ["execve"]
        #expect(try diagnosis(of: starter.bytes).verdict == .maybe)
        let alone = try diagnosis(of: builder.bytes)
        #expect(alone.verdict == .no)
        #expect(alone.metering == .nothing)
        #expect(
            alone.reason
                == "it is linked with no HTTP or TLS library, and imports no function that opens a connection")
        var client = builder
        client.imports = ["connect"]
        #expect(try diagnosis(of: client.bytes).reason == "it calls sockets itself: its HTTP in the clear is metered")
    }

    @Test("that is cut short is damaged, and no static program")
    func damaged() throws {
        let cut = try diagnosis(of: Array(builder.bytes.prefix(100)))
        #expect(cut.verdict == .maybe)
        #expect(cut.metering == nil)
        #expect(cut.reason.contains("damaged"))
    }

    @Test("git is what it starts for HTTP", .enabled(if: Built.has("git")))
    func git() throws {
        let git = try diagnosis("git")
        #expect(git.verdict == .yes)
        #expect(git.reason.contains("git-remote-http"))
    }

    @Test("libraries that need each other, and ones that are missing, end the search")
    func circle() throws {
        try withFolder { folder in
            var library = builder
            library.needed = ["libb.so", "libmissing.so"]
            library.imports = ["dlopen"]
            try Data(library.bytes).write(to: folder.appendingPathComponent("liba.so"))
            library.needed = ["liba.so", "libcurl-test.so.4"]
            try Data(library.bytes).write(to: folder.appendingPathComponent("libb.so"))
            library.needed = []
            try Data(library.bytes).write(to: folder.appendingPathComponent("libcurl-test.so.4"))
            var program = builder
            program.needed = ["liba.so"]
            let elf = try #require(ELFFile(program.bytes))
            let links = ProgramLinks(elf, at: "/program", LibrarySearch(folders: [folder.path]))
            #expect(links.wayToLibcurl == ["liba.so", "libb.so", "libcurl-test.so.4"])
            #expect(links.missing == ["libmissing.so"])
            // A library that can load more is no reason to think that the program asks for libcurl.
            #expect(!links.loadsLater)
        }
    }
}
