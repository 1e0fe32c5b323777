import Foundation

/// Runs another program a number of times, one after the other.
enum Repeated {
    /// Prints the processor time of all runs, that of the other process, and the time on the clock, in nanoseconds.
    static func measure(_ words: [String], times: Int, beside other: OtherProcess) throws {
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let otherStart = other.settledTime
        let (start, wallStart) = (Usage.children, Usage.wall)
        for _ in 0..<times {
            var child = pid_t()
            var status: Int32 = 0
            guard posix_spawnp(&child, words[0], nil, nil, arguments, environ) == 0,
                waitpid(child, &status, 0) == child, status == 0
            else { throw Child.Failure(description: "'\(words)' failed") }
        }
        let (all, wall) = (Usage.children - start, Usage.wall - wallStart)
        print(all, all, other.settledTime - otherStart, wall)
    }
}
