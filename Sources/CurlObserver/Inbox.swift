internal import CCurlTap

/// The room for messages of preloaded programs: allocated once, and filled with many messages by one system call.
///
/// Only the listener's thread uses it, so it needs no lock.
final class Inbox: @unchecked Sendable {
    private let inbox: OpaquePointer

    /// Allocates the room; nil if there is no memory.
    init?() {
        guard let inbox = wwt_inbox_create() else { return nil }
        self.inbox = inbox
    }

    deinit { wwt_inbox_destroy(inbox) }

    /// Takes the messages that wait in a socket, and waits for none.
    ///
    /// - Returns: how many there are; nil if the connection is broken.
    func receive(from socket: Int32) -> Int? {
        let count = wwt_inbox_receive(inbox, socket)
        return count < 0 ? nil : Int(count)
    }

    /// The descriptor that came with the first message that was received last, which the caller closes; nil if none did.
    func takeDescriptor() -> Int32? {
        let descriptor = wwt_inbox_take_descriptor(inbox)
        return descriptor < 0 ? nil : descriptor
    }

    /// One of the messages that were received last; empty if its connection has ended.
    subscript(index: Int) -> UnsafeRawBufferPointer {
        var count = 0
        let bytes = wwt_inbox_message(inbox, Int32(index), &count)
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }
}
