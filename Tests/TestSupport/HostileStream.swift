package import Foundation

/// A stream of content that breaks the rules of streams.
package final class HostileStream: InputStream {
    /// How the stream misbehaves.
    package enum Kind: String, Sendable, CaseIterable {
        /// Fails before the first byte.
        case failsAtOnce
        /// Returns some bytes, then fails.
        case failsInBetween
        /// Ends before the length that its request states.
        case endsEarly
        /// Has more bytes than the length that its request states.
        case hasMore
        /// Claims to have bytes, but returns none.
        case handsOutNothing
        /// Never ends.
        case neverEnds
    }

    private let kind: Kind
    private var left: Int
    private var status = Stream.Status.notOpen

    /// Makes a stream of a kind, for a request that states a length of 1,000 bytes.
    package init(_ kind: Kind) {
        self.kind = kind
        left =
            switch kind {
            case .failsAtOnce, .handsOutNothing: 0
            case .failsInBetween, .endsEarly: 500
            case .hasMore: 3_000
            case .neverEnds: .max
            }
        super.init(data: Data())
    }

    /// The length that the request must state, in bytes.
    package static let namedLength = 1_000

    package override func open() { status = .open }
    package override func close() { status = .closed }
    package override var streamStatus: Stream.Status { status }
    package override var streamError: (any Error)? {
        status == .error ? CocoaError(.fileReadUnknown) : nil
    }
    package override var hasBytesAvailable: Bool { status == .open && (left > 0 || kind == .handsOutNothing) }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open else { return -1 }
        if left == 0 {
            if kind == .failsAtOnce || kind == .failsInBetween {
                status = .error
                return -1
            }
            if kind != .handsOutNothing { status = .atEnd }
            return 0
        }
        // Slow enough that an endless stream does not fill the machine's memory.
        if kind == .neverEnds { Thread.sleep(forTimeInterval: 0.01) }
        let count = min(left, length, 500)
        for index in 0..<count { buffer[index] = 0x61 }
        left -= count
        return count
    }

    package override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
}
