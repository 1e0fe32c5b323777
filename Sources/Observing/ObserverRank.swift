/// The rank of an observer: if several observers of a process see an exchange, only the one with the highest rank
/// reports it.
///
/// Each kind of observer has a rank of its own, so two of them never tie. An observer with better evidence comes after
/// one with worse evidence. Among those that capture, the one closest to the interface that the program calls comes
/// last, because it also knows which exchanges belong to one task.
package enum ObserverRank: Int, CaseIterable, Comparable, Sendable {
    /// `URLProtocol`, whose sizes are reconstructed.
    case urlProtocol
    /// The metrics of URLSession's tasks, whose sizes are reported.
    case taskMetrics
    /// The plaintext of sockets and TLS: captured, but without the program's tasks.
    case streams
    /// The calls of libcurl: captured.
    case libcurl

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
