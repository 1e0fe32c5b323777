#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The descriptors that this process was started with; a program that it starts gets these and no others.
///
/// NIO's sockets stay open over exec: a program that goes on in the background would keep the proxy's port and the
/// connections of devices.
struct InheritedDescriptors: Sendable {
    private let numbers: Set<Int32>

    /// To be called before the process opens any.
    init() {
        // Without the one of the listing itself.
        numbers = Set(Self.all().filter { fcntl($0, F_GETFD) >= 0 })
    }

    func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        // Meanwhile more may be opened. To close one that is not open is no error.
        let end = (Self.all().max() ?? 2) + 64
        for number in 3...end where !numbers.contains(number) { posix_spawn_file_actions_addclose(&actions, number) }
    }

    private static func all() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []).compactMap { Int32($0) }
    }
}
