import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Buffered output to standard output or a file.
///
/// If the reader of a pipe goes away (`| head`), the command ends without a message.
struct Output: ~Copyable {
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16
    private let descriptor: Int32
    /// The path of the file; nil for standard output.
    private let path: String?

    /// Whether the pager is started before the first output, so that none is started for nothing.
    private var startsPager = false

    /// Writes to standard output, on a terminal through the pager.
    static func paged() -> Output {
        var output = Output()
        output.startsPager = true
        return output
    }

    /// Writes to standard output.
    init() {
        self.init(descriptor: STDOUT_FILENO, path: nil)
    }

    /// Makes or empties the file at a path; writes to standard output if there is no path.
    init(path: String?) throws {
        guard let path else {
            self.init()
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            Terminal.complain(WriteFailure.text(to: path, code))
            // EX_CANTCREAT of sysexits.
            throw ExitCode(73)
        }
        self.init(descriptor: descriptor, path: path)
    }

    private init(descriptor: Int32, path: String?) {
        self.descriptor = descriptor
        self.path = path
        // `write` returns the error instead. The signal would end the process with a status of its own.
        signal(SIGPIPE, SIG_IGN)
    }

    private var isRegularFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Adds text to the buffer, and writes the buffer if it is full.
    ///
    /// - Throws: `ExitCode.success` if the reader has gone away.
    mutating func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Adds bytes to the buffer, and writes the buffer if it is full.
    ///
    /// - Throws: `ExitCode.success` if the reader has gone away.
    mutating func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the rest of the buffer.
    mutating func flush() throws {
        if !buffer.isEmpty, descriptor == STDOUT_FILENO {
            if !isRegularFile { WaitingLine.end() }
            if startsPager { Pager.start() }
            startsPager = false
        }
        var written = 0
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { writeBytes(descriptor, $0) }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw ExitCode.success
            } else if errno != EINTR {
                let code = errno
                Terminal.complain(WriteFailure.text(to: path, code))
                // EX_IOERR of sysexits.
                throw ExitCode(74)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Calls the system's `write`; it is outside the type, because the type's own `write` hides that name.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
