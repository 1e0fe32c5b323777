import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output with a buffer of its own.
///
/// A reader that goes away (`| head`) ends the command without a word.
struct Output: ~Copyable {
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    init() {
        // The error is seen where the bytes are written; the signal would end the process with a status of its own.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Adds text.
    ///
    /// - Throws: `ExitCode.success` when nobody reads any more.
    mutating func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes what is left.
    mutating func flush() throws {
        var written = 0
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { writeToStandardOutput($0) }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw ExitCode.success
            } else if errno != EINTR {
                let code = errno
                Terminal.complain("cannot write to standard output: \(String(cString: strerror(code)))")
                // EX_IOERR of sysexits.
                throw ExitCode(74)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Stands outside the type, whose own `write` hides the system's.
private func writeToStandardOutput(_ bytes: UnsafeRawBufferPointer) -> Int {
    write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
}
