internal import CHTTPWire

/// Finds the end of a 101 that switches from HTTP/1.1 to WebSocket in the bytes of a server (RFC 9110, section 15.2.2;
/// RFC 6455, section 4.2.2), however they are split.
package struct UpgradeScanner {
    private var scanner = ww_upgrade_scanner()

    package init() {}

    /// Whether the 101 has ended.
    package var isDone: Bool { Int(scanner.state) == WW_UPGRADE_DONE.rawValue }
    /// Whether something else has come, so that WebSocket will not follow.
    package var isOther: Bool { Int(scanner.state) == WW_UPGRADE_OTHER.rawValue }

    /// Takes the next bytes.
    ///
    /// - Returns: the bytes after the 101.
    package mutating func add(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let taken = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { ww_upgrade_scan(&scanner, $0, buffer.count) } ?? 0
        }
        return bytes[taken...]
    }
}
