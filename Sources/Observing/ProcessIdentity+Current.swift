package import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension ProcessIdentity {
    /// The identity of this process: its number, and the file name of its program.
    package static var current: ProcessIdentity {
        ProcessIdentity(pid: getpid(), program: CommandLine.arguments.first ?? "")
    }

    /// The identity of a process by the path of its program.
    package init(pid: Int32, program path: String) {
        self.init(pid: pid, name: path.split(separator: "/").last.map(String.init) ?? "")
    }
}
