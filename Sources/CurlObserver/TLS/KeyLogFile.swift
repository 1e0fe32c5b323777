internal import TLSRecords

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The file into which programs write the secrets of their TLS sessions, read as it grows.
///
/// Used by one thread at a time.
final class KeyLogFile {
    private let path: String
    private var offset = 0
    private var taken = 0
    private var log = KeyLog()

    /// - Parameter path: the file; what it has already is passed over, as of sessions before.
    init(path: String) {
        self.path = path
        #if os(Linux)
            var status = stat()
            if stat(path, &status) == 0 { offset = Int(status.st_size) }
        #endif
    }

    /// The secrets of a session, once there are enough of them to decipher its messages.
    func secrets(_ random: [UInt8]) -> KeyLog.Secrets? { log[random].flatMap { $0.isEnough ? $0 : nil } }

    /// Takes what was written since the last call; returns how much was taken by now.
    func grown() -> Int {
        #if os(Linux)
            read()
        #endif
        return taken
    }

    #if os(Linux)
        private func read() {
            // Not a pipe or a device, which could hold us up.
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else { return }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
            if status.st_size < offset { offset = 0 }
            var room = [UInt8](repeating: 0, count: 65_536)
            while offset < status.st_size, case let count = pread(file, &room, room.count, off_t(offset)), count > 0 {
                log.add(room.prefix(count))
                offset += count
                taken += count
            }
        }
    #endif
}
