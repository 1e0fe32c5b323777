import Foundation

/// A process beside the one that is measured: the command that meters it, or a proxy.
enum OtherProcess {
    case none
    /// Who has started this one.
    case parent
    case number(Int32)

    /// As it stands among arguments: `-`, `parent`, or a number.
    init(_ word: String) {
        switch word {
        case "parent": self = .parent
        default: self = Int32(word).map { .number($0) } ?? .none
        }
    }

    /// The processor time of all its threads in nanoseconds, once it has had time to do what it was given.
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
