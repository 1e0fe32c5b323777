package import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension TrafficResource {
    /// What is known of this machine: its operating system, and on Linux its name.
    package static var current: TrafficResource {
        var resource = TrafficResource()
        #if os(Linux)
            resource.os = "linux"
            resource.hostName = uname { $0.nodename }
        #elseif canImport(Darwin)
            resource.os = "darwin"
        #endif
        resource.osVersion = uname { $0.release }
        return resource
    }

    // The fields are arrays of characters that end with 0, which Swift sees as tuples.
    private static func uname<Field>(_ field: (utsname) -> Field) -> String {
        var names = utsname()
        guard posixUname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: field(names)) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

private func posixUname(_ names: UnsafeMutablePointer<utsname>) -> Int32 { uname(names) }
