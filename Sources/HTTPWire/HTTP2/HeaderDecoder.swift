/// Decodes all header blocks of one direction of an HTTP/2 connection, in order (HPACK, RFC 7541).
package protocol HeaderDecoder: AnyObject {
    /// Sets the size of the dynamic table that the receiver of the blocks allows (SETTINGS_HEADER_TABLE_SIZE; RFC 9113,
    /// section 6.5.2).
    func allow(tableSize: Int)

    /// Decodes a block.
    ///
    /// - Parameters:
    ///   - block: a whole block.
    ///   - visit: receives each field, and the number of the block's bytes that it took.
    /// - Returns: whether all of it could be decoded. After a block that could not, no other can be.
    func decode(
        _ block: [UInt8],
        _ visit: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ size: Int) -> Void
    ) -> Bool
}
