import Foundation

/// What this process has used so far.
enum Usage {
    /// Processor time of all its threads, user and system, in nanoseconds.
    static var process: Int64 { clock(CLOCK_PROCESS_CPUTIME_ID) }

    /// Processor time of the calling thread, user and system, in nanoseconds.
    static var thread: Int64 { clock(CLOCK_THREAD_CPUTIME_ID) }

    /// The time that never jumps, in nanoseconds.
    static var wall: Int64 { clock(CLOCK_MONOTONIC) }

    /// Resident memory in bytes.
    static var resident: Int64 {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int64(words[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// The numbers of the threads that are alive.
    static var threads: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [])
    }

    /// Processor time of those threads, in nanoseconds, by the scheduler's own count.
    static func time(ofThreads threads: Set<String>) -> Int64 {
        threads.reduce(0) { sum, thread in
            let words = read("/proc/self/task/\(thread)/schedstat")?.split(separator: " ") ?? []
            return sum + (words.first.flatMap { Int64($0) } ?? 0)
        }
    }

    private static func read(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    private static func clock(_ which: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(which, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
