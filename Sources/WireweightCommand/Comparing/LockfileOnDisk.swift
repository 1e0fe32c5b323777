import ArgumentParser
import Foundation
import TextFormats
import TrafficReports

/// Reads and writes the lockfile at a path.
struct LockfileOnDisk {
    let path: String

    /// The most bytes to read: 64 MiB, more than any real lockfile has.
    private static let limit = 64 << 20

    var exists: Bool { Files.exists(path) }

    /// Reads and parses the lockfile.
    ///
    /// - Throws: ``ReadingFailure``, which names the file, the line and the reason.
    func read() throws -> Lockfile {
        guard exists else {
            throw ReadingFailure("there is no file '\(path)'; make it with 'wireweight budget record'")
        }
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: Self.limit + 1) ?? Data()
            guard bytes.count <= Self.limit else {
                throw ReadingFailure("'\(path)' is too large for a lockfile; check the path")
            }
            return try Lockfile(text: [UInt8](bytes))
        } catch let fault as JSONFault {
            throw ReadingFailure("'\(path)', line \(fault.line): \(fault.reason)")
        } catch let failure as ReadingFailure {
            throw failure
        } catch {
            throw ReadingFailure("cannot read '\(path)': \(error.localizedDescription)")
        }
    }

    /// Writes the lockfile, completely or not at all.
    func write(_ lockfile: Lockfile) throws {
        do {
            try Data(lockfile.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            Terminal.complain(
                "cannot write to '\(path)': \(error.localizedDescription); '--lockfile' names another file")
            // EX_CANTCREAT of sysexits.
            throw ExitCode(73)
        }
    }
}
