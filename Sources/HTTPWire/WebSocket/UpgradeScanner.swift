internal import CHTTPWire

/// Finds where HTTP/1.1 ends and WebSocket begins in what a server sends: the end of a 101 that switches to it (RFC 9110,
/// section 15.2.2; RFC 6455, section 4.2.2), in any split.
package struct UpgradeScanner {
    private var scanner = ww_upgrade_scanner()

    package init() {}

    /// Whether the 101 has ended.
    package var isDone: Bool { Int(scanner.state) == WW_UPGRADE_DONE.rawValue }
    /// Whether something else has come, so that WebSocket will not.
    package var isOther: Bool { Int(scanner.state) == WW_UPGRADE_OTHER.rawValue }

    /// Takes the next bytes.
    ///
    /// - Returns: those after the 101.
    package mutating func add(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let taken = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { ww_upgrade_scan(&scanner, $0, buffer.count) } ?? 0
        }
        return bytes[taken...]
    }
}
