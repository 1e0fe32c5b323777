internal import CCurlTap

/// The messages that a preloaded program puts into memory that it shares with us.
///
/// Only the listener's thread uses it, so it needs no lock.
final class SharedRing: @unchecked Sendable {
    /// The program has written what is no ring.
    struct Malformed: Error {}

    private let reader: OpaquePointer

    /// Takes the descriptor of the memory; nil if that is no ring.
    init?(_ descriptor: Int32) {
        guard let reader = wwt_shared_reader_open(descriptor) else { return nil }
        self.reader = reader
    }

    deinit { wwt_shared_reader_free(reader) }

    /// Says that we wait for the socket from now on; false if there is something to take.
    func maySleep() -> Bool { wwt_shared_reader_may_sleep(reader) }

    /// The next message, which is valid until the next call; nil if there is none now.
    func take() throws(Malformed) -> UnsafeRawBufferPointer? {
        var count = 0
        var isMalformed = false
        guard let bytes = wwt_shared_reader_take(reader, &count, &isMalformed) else {
            if isMalformed { throw Malformed() }
            return nil
        }
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// Takes no more than what the program is putting in at this moment.
    func close() { wwt_shared_reader_close(reader) }
}
