import Foundation

/// Checks whether a process that wrote into a store is still running.
enum ProcessLiveness {
    /// When the process started, in the kernel's ticks since boot; 0 if the system does not report it.
    ///
    /// The kernel uses process numbers again, but not the same number with the same start time.
    static func startTime(of pid: Int32) -> Int64 {
        #if os(Linux)
            guard let file = fopen("/proc/\(pid)/stat", "re") else { return 0 }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = fread(&buffer, 1, buffer.count, file)
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            // The name in parentheses may contain spaces and parentheses, so the fields are counted from its end.
            guard let end = text.lastIndex(of: ")") else { return 0 }
            let fields = text[end...].split(separator: " ")
            return fields.count > 20 ? Int64(fields[20]) ?? 0 : 0
        #else
            return 0
        #endif
    }

    /// Whether the process with that number and start time still exists.
    static func isAlive(pid: Int32, startTime: Int64) -> Bool {
        guard kill(pid, 0) == 0 || errno == EPERM else { return false }
        let current = self.startTime(of: pid)
        return startTime == 0 || current == 0 || current == startTime
    }
}
