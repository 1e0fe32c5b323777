/// Decodes header blocks of HTTP/2 (HPACK, RFC 7541): those of one direction of a connection, all of them, in their order.
package protocol HeaderDecoder: AnyObject {
    /// The receiver of the blocks allows a dynamic table of that size (SETTINGS_HEADER_TABLE_SIZE; RFC 9113, section 6.5.2).
    func allow(tableSize: Int)

    /// Decodes a block.
    ///
    /// - Parameters:
    ///   - block: a whole one.
    ///   - visit: takes a field, and how many bytes of the block it was.
    /// - Returns: whether all of it could be decoded. After one that could not, no other can be.
    func decode(
        _ block: [UInt8],
        _ visit: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ size: Int) -> Void
    ) -> Bool
}
