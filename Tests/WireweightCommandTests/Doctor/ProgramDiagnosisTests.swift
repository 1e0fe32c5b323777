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
        #expect(late.reason.contains("can load libcurl, OpenSSL or GnuTLS later"))
        #expect(late.libcurl == nil)
    }

    @Test("that is statically linked cannot be metered")
    func isStatic() throws {
        let program = try diagnosis(try Built.program("inheritance-static"))
        #expect(program.verdict == .no)
        #expect(program.reason == "it is statically linked, so nothing can be loaded into it")
        #expect(program.advice != nil)
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

    @Test("that has an HTTP stack of its own is not seen, and it is said which")
    func ownStack() throws {
        var go = builder
        go.isGo = true
        #expect(try diagnosis(of: go.bytes).reason == "it is a Go program; Go's net/http does not use libcurl")
        let node = try diagnosis(of: builder.bytes, name: "node")
        #expect(node.verdict == .maybe)
        #expect(node.reason.hasPrefix("it is Node; its HTTP in the clear is metered"))
        let python = try diagnosis(of: builder.bytes, name: "python3.99")
        #expect(python.verdict == .maybe)
        #expect(python.reason.contains("pycurl is metered"))
    }

    @Test("that starts others may be metered through them; one that can do nothing of it cannot")
    func others() throws {
        var starter = builder
        starter.imports = ["execve"]
        #expect(try diagnosis(of: starter.bytes).verdict == .maybe)
        let alone = try diagnosis(of: builder.bytes)
        #expect(alone.verdict == .no)
        #expect(alone.reason == "it is not linked with a shared libcurl and cannot load one")
        var client = builder
        client.imports = ["connect"]
        #expect(try diagnosis(of: client.bytes).reason == "it calls sockets itself: its HTTP in the clear is metered")
    }

    @Test("that is cut short is damaged, and no static program")
    func damaged() throws {
        let cut = try diagnosis(of: Array(builder.bytes.prefix(100)))
        #expect(cut.verdict == .maybe)
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
