internal import HTTPWire

/// Decodes HPACK (RFC 7541) with libnghttp2, which is present wherever libcurl supports HTTP/2.
package final class HPACKDecoder: HeaderDecoder {
    /// `nghttp2_nv`: two pointers, two lengths, flags.
    private struct Field {
        var name: UnsafeMutablePointer<UInt8>?
        var value: UnsafeMutablePointer<UInt8>?
        var nameCount = 0
        var valueCount = 0
        var flags: UInt8 = 0
    }

    private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    private typealias Free = @convention(c) (OpaquePointer) -> Void
    private typealias ChangeSize = @convention(c) (OpaquePointer, Int) -> Int32
    private typealias Inflate =
        @convention(c) (
            OpaquePointer, UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>, UnsafePointer<UInt8>?, Int, Int32
        ) -> Int
    private typealias End = @convention(c) (OpaquePointer) -> Int32

    private static let library = LoadedLibrary("libnghttp2.so.14", "libnghttp2.dylib")
    // NGHTTP2_HD_INFLATE_FINAL and NGHTTP2_HD_INFLATE_EMIT of nghttp2.h.
    private static let final: Int32 = 1
    private static let emit: Int32 = 2
    /// The largest dynamic table; if an encoder uses a larger one, its blocks cannot be decoded from then on.
    private static let mostTable = 65_536

    private let inflater: OpaquePointer
    private let inflate: Inflate
    private let end: End
    private let changeSize: ChangeSize
    private let free: Free
    /// The initial value of SETTINGS_HEADER_TABLE_SIZE (RFC 9113, section 6.5.2).
    private var tableSize = 4_096

    /// A decoder for one direction of a connection; nil if the system has no libnghttp2.
    package init?() {
        var inflater: OpaquePointer?
        guard let library = Self.library,
            let create = library.function("nghttp2_hd_inflate_new", as: Create.self),
            let inflate = library.function("nghttp2_hd_inflate_hd2", as: Inflate.self),
            let end = library.function("nghttp2_hd_inflate_end_headers", as: End.self),
            let changeSize = library.function("nghttp2_hd_inflate_change_table_size", as: ChangeSize.self),
            let free = library.function("nghttp2_hd_inflate_del", as: Free.self), create(&inflater) == 0, let inflater
        else { return nil }
        self.inflater = inflater
        self.inflate = inflate
        self.end = end
        self.changeSize = changeSize
        self.free = free
    }

    deinit { free(inflater) }

    // An encoder that must use a smaller table announces that in its next block (RFC 7541, section 4.2). The time at
    // which it learns of a smaller limit is not known here, so the limit never becomes smaller.
    package func allow(tableSize: Int) {
        let wanted = min(tableSize, Self.mostTable)
        guard wanted > self.tableSize, changeSize(inflater, wanted) == 0 else { return }
        self.tableSize = wanted
    }

    package func decode(
        _ block: [UInt8],
        _ visit: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ size: Int) -> Void
    ) -> Bool {
        block.withUnsafeBufferPointer { block in
            var at = 0
            // Bytes since the end of the last field: a change of the table's size counts as part of the field after it.
            var size = 0
            while true {
                var field = Field()
                var flags: Int32 = 0
                let rest = block.baseAddress.map { $0 + at }
                let count = withUnsafeMutablePointer(to: &field) {
                    inflate(inflater, UnsafeMutableRawPointer($0), &flags, rest, block.count - at, 1)
                }
                guard count >= 0 else { return false }
                at += count
                size += count
                if flags & Self.emit != 0 {
                    visit(
                        UnsafeBufferPointer(start: field.name, count: field.nameCount),
                        UnsafeBufferPointer(start: field.value, count: field.valueCount), size)
                    size = 0
                }
                if flags & Self.final != 0 { return end(inflater) == 0 && at == block.count }
                guard count > 0 || flags & Self.emit != 0 else { return false }
            }
        }
    }
}
