#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file that only its owner may read.
struct OwnedFile: Sendable {
    /// How a file is opened to write to it.
    enum Opening: Sendable {
        /// As a new file; it is an error if there is one already.
        case new
        /// As an empty file, whether or not there is one; a symbolic link is an error.
        case empty
        /// At its end; it is an error if there is none.
        case end

        fileprivate var flags: Int32 {
            switch self {
            case .new: O_CREAT | O_EXCL
            case .empty: O_CREAT | O_TRUNC | O_NOFOLLOW
            case .end: O_APPEND
            }
        }
    }

    let path: String

    /// Puts all of these bytes there, also if the system takes them in parts or a signal interrupts it.
    func put(_ bytes: [UInt8], _ opening: Opening) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | opening.flags, 0o600)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let failure = FileFailure(errno)
                close(descriptor)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0 else { throw FileFailure(errno) }
    }
}

/// Why the system could not write a file.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ number: Int32) { description = String(cString: strerror(number)) }
}
