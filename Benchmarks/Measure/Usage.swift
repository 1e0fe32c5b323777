import Foundation

/// The resources that this process has used so far.
enum Usage {
    /// Processor time of all its threads, user and system, in nanoseconds.
    static var process: Int64 { clock(CLOCK_PROCESS_CPUTIME_ID) }

    /// Processor time of all children that have ended and were waited for, user and system, in nanoseconds.
    static var children: Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        func nanoseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000 }
        return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
    }

    /// Processor time of the calling thread, user and system, in nanoseconds.
    static var thread: Int64 { clock(CLOCK_THREAD_CPUTIME_ID) }

    /// The monotonic clock, in nanoseconds.
    static var wall: Int64 { clock(CLOCK_MONOTONIC) }

    /// Resident memory in bytes.
    static var resident: Int64 {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int64(words[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// The peak of resident memory, in bytes.
    static var peak: Int64 { status("VmHWM") }

    /// Anonymous resident memory, in bytes: without code mapped from files, which the system can drop at any time.
    static var anonymous: Int64 { status("RssAnon") }

    private static func status(_ name: String) -> Int64 {
        let lines = read("/proc/self/status")?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix(name + ":") }?.split { $0 == " " || $0 == "\t" }
        return (words?.dropFirst().first.flatMap { Int64($0) } ?? 0) * 1_024
    }

    /// Bytes that the C library's allocator has allocated and not freed; 0 if it does not report them.
    ///
    /// Resident memory is larger, because freed memory stays resident until it is reused.
    static var allocated: Int64 {
        typealias Inform = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        var text: UnsafeMutablePointer<CChar>?
        var length = 0
        guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &length) else { return 0 }
        _ = unsafeBitCast(symbol, to: Inform.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        // The sums over all heaps come last.
        let lines = text.map { String(cString: $0) }?.split(separator: "\n") ?? []
        func size(_ kind: String) -> Int64 {
            let words = lines.last { $0.hasPrefix("<\(kind)") }?.components(separatedBy: "size=\"")
            return words?.last.flatMap { Int64($0.prefix { $0.isNumber }) } ?? 0
        }
        return size(#"system type="current""#) - size(#"total type="fast""#) - size(#"total type="rest""#)
            + size(#"total type="mmap""#)
    }

    /// The numbers of the running threads.
    static var threads: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [])
    }

    /// Processor time of the given threads in nanoseconds, as the scheduler counts it.
    static func time(ofThreads threads: Set<String>) -> Int64 { time(ofThreads: threads, in: "self") }

    /// Processor time of all threads that another process currently has, in nanoseconds.
    static func time(ofProcess process: Int32) -> Int64 {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return time(ofThreads: Set(threads), in: "\(process)")
    }

    private static func time(ofThreads threads: Set<String>, in process: String) -> Int64 {
        threads.reduce(0) { sum, thread in
            let words = read("/proc/\(process)/task/\(thread)/schedstat")?.split(separator: " ") ?? []
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
