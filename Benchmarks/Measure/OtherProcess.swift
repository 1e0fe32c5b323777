import Foundation

/// Another process that takes part in a measurement: the command that meters the program, or a proxy.
enum OtherProcess {
    case none
    /// The parent of this process.
    case parent
    case number(Int32)

    /// Parses an argument: `-`, `parent`, or a process number.
    init(_ word: String) {
        switch word {
        case "parent": self = .parent
        default: self = Int32(word).map { .number($0) } ?? .none
        }
    }

    /// The processor time of all its threads in nanoseconds, taken 0.4 s later so that it can finish its work.
    var settledTime: Int64 {
        let process: Int32
        switch self {
        case .none: return 0
        case .parent: process = getppid()
        case .number(let number): process = number
        }
        usleep(400_000)
        return Usage.time(ofProcess: process)
    }
}
