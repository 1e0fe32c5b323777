#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kernel's counters of a connection (`TCP_INFO`), at the origin's end.
public struct KernelCounters: Hashable, Sendable {
    /// Payload bytes that the client's kernel acknowledged.
    ///
    /// The kernel counts the origin's FIN as one byte. ``OriginConnectionLog/kernel`` leaves it out.
    public var acknowledged: Int
    /// Payload bytes that came from the client, plus one if the client has closed its side: the kernel counts a FIN as
    /// one byte.
    public var received: Int
    /// Bytes that we wrote and the kernel has not sent yet.
    public var notSent: Int
    /// The number of segments that were sent and are not yet acknowledged.
    public var unacknowledgedSegments: Int

    /// Reads the counters from the kernel; nil if it does not report them.
    init?(descriptor: Int32) {
        #if os(Linux)
            // The C library's struct ends before the counters. So the offsets are those of the kernel's own
            // `struct tcp_info` (linux/tcp.h), which only grows at its end.
            var info = [UInt8](repeating: 0, count: 256)
            var length = socklen_t(info.count)
            let result = info.withUnsafeMutableBytes {
                getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, $0.baseAddress, &length)
            }
            guard result == 0, length >= 148 else { return nil }
            func value<T: FixedWidthInteger>(at offset: Int, as type: T.Type) -> Int {
                info.withUnsafeBytes { Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
            }
            unacknowledgedSegments = value(at: 24, as: UInt32.self)
            acknowledged = value(at: 120, as: UInt64.self)
            received = value(at: 128, as: UInt64.self)
            notSent = value(at: 144, as: UInt32.self)
        #else
            return nil
        #endif
    }
}
