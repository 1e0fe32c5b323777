import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output, or a file, with a buffer of its own.
///
/// A reader that goes away (`| head`) ends the command without a word.
struct Output: ~Copyable {
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16
    private let descriptor: Int32
    private let name: String

    /// Standard output.
    init() {
        self.init(descriptor: STDOUT_FILENO, name: "standard output")
    }

    /// A file of the user's own, emptied or made; standard output where there is no path.
    init(path: String?) throws {
        guard let path else {
            self.init()
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            Terminal.complain("cannot write to '\(path)': \(String(cString: strerror(code)))")
            // EX_CANTCREAT of sysexits.
            throw ExitCode(73)
        }
        self.init(descriptor: descriptor, name: "'\(path)'")
    }

    private init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
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
            let count = buffer[written...].withUnsafeBytes { writeBytes(descriptor, $0) }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw ExitCode.success
            } else if errno != EINTR {
                let code = errno
                Terminal.complain("cannot write to \(name): \(String(cString: strerror(code)))")
                // EX_IOERR of sysexits.
                throw ExitCode(74)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Stands outside the type, whose own `write` hides the system's.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
