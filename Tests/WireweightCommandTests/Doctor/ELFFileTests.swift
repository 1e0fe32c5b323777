import Foundation
import TestSupport
import Testing

@testable import Diagnosis
@testable import MachineExamination

/// Reads ELF files, and trusts nothing in them.
@Suite("An ELF file")
struct ELFFileTests {
    @Test(
        "shows its interpreter, its libraries, its search paths, and its undefined symbols", arguments: [true, false])
    func reads(hasGNUHash: Bool) throws {
        var builder = ELFBuilder()
        builder.hasGNUHash = hasGNUHash
        let elf = try #require(ELFFile(builder.bytes))
        #expect(elf.is64Bit && elf.isLittleEndian)
        #expect(elf.machine == 62)
        #expect(elf.interpreter == "/lib64/ld-linux-x86-64.so.2")
        #expect(elf.needed == ["libcurl.so.4", "libc.so.6"])
        #expect(elf.runPaths == ["$ORIGIN/../lib"])
        #expect(elf.imports == ["dlopen", "execve"])
        #expect(!elf.isGo)
        #expect(!elf.isDamaged)
    }

    @Test("that exports a name does not import it")
    func exports() throws {
        var builder = ELFBuilder()
        builder.imports = []
        builder.exports = ["dlopen"]
        for hasGNUHash in [true, false] {
            builder.hasGNUHash = hasGNUHash
            #expect(try #require(ELFFile(builder.bytes)).imports == [])
        }
    }

    @Test("of Go's says so in a note")
    func go() throws {
        var builder = ELFBuilder()
        builder.isGo = true
        #expect(try #require(ELFFile(builder.bytes)).isGo)
    }

    @Test("without an interpreter is a static program; of another processor, or for another linker, says so")
    func obstacles() throws {
        var builder = ELFBuilder()
        builder.machine = ELFFile.ownMachine
        #expect(try #require(ELFFile(builder.bytes)).obstacle == nil)
        builder.interpreter = "/lib/ld-musl-x86_64.so.1"
        #expect(try #require(ELFFile(builder.bytes)).obstacle == .foreignLinker("ld-musl-x86_64.so.1"))
        builder.interpreter = nil
        #expect(try #require(ELFFile(builder.bytes)).obstacle == .isStatic)
        builder.machine = 8
        #expect(try #require(ELFFile(builder.bytes)).obstacle == .foreignProcessor)
        var bits32 = builder.bytes
        bits32[4] = 1
        #expect(try #require(ELFFile(bits32)).obstacle == .foreignProcessor)
        var bigEndian = builder.bytes
        bigEndian[5] = 2
        (bigEndian[18], bigEndian[19]) = (0, 21)
        #expect(try #require(ELFFile(bigEndian)).machine == 21)
    }

    @Test("is none where the first bytes are others")
    func foreign() {
        #expect(ELFFile([]) == nil)
        #expect(ELFFile(Array("#!/bin/sh\n".utf8)) == nil)
        #expect(ELFFile(Array(repeating: 0, count: 4_096)) == nil)
    }

    @Test("cut anywhere is no ELF file, or damaged, and shows nothing that was not there")
    func truncated() throws {
        let whole = ELFBuilder().bytes
        let all = try #require(ELFFile(whole))
        for count in 0..<whole.count {
            guard let elf = ELFFile(Array(whole.prefix(count))) else {
                #expect(count < 20)
                continue
            }
            #expect(elf.isDamaged, "cut after \(count) bytes")
            #expect(elf.interpreter == nil || elf.interpreter == all.interpreter)
            #expect(Set(elf.needed).isSubset(of: all.needed))
            #expect(elf.imports.isSubset(of: all.imports))
        }
    }

    @Test("that claims more than it contains is not read beyond its end")
    func claims() throws {
        // Every number of the headers at its largest, one at a time, and every word of the dynamic section.
        let whole = ELFBuilder().bytes
        for start in stride(from: 16, to: whole.count - 7, by: 2) {
            for size in [2, 4, 8] {
                var bytes = whole
                for index in start..<start + size { bytes[index] = 0xFF }
                var asked = 0
                let elf = ELFFile { offset, count in
                    asked += count
                    guard offset < UInt64(bytes.count) else { return [] }
                    return Array(bytes[Int(offset)...].prefix(count))
                }
                #expect(asked < 128 << 20)
                #expect((elf?.imports.count ?? 0) < 10)
            }
        }
    }

    @Test("of random bytes does no harm", arguments: 0..<200)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = ELFBuilder().bytes
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            bytes[Int.random(in: 4..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        #expect((ELFFile(bytes)?.imports.count ?? 0) <= 100)
    }

    @Test("on this machine: the tests' own program needs Foundation and starts others")
    func own() throws {
        let file = try #require(FilePieces("/proc/self/exe"))
        let elf = try #require(ELFFile { file.read($0, $1) })
        #expect(elf.isOurs)
        #expect(elf.obstacle == nil)
        #expect(!elf.isDamaged)
        #expect(elf.imports.contains("posix_spawn"))
    }
}
