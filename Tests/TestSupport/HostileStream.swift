package import Foundation

/// A stream of content that does not do what streams do.
package final class HostileStream: InputStream {
    /// What it does.
    package enum Kind: String, Sendable, CaseIterable {
        /// Fails before the first byte.
        case failsAtOnce
        /// Hands out some bytes, and fails.
        case failsInBetween
        /// Ends before the length that its request names.
        case endsEarly
        /// Has more than the length that its request names.
        case hasMore
        /// Hands out nothing while it says that there is something.
        case handsOutNothing
        /// Goes on and on.
        case neverEnds
    }

    private let kind: Kind
    private var left: Int
    private var status = Stream.Status.notOpen

    /// A stream of that kind, for a request that names a length of 1,000.
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

    /// The length that the request is to name.
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
        // Slow enough that one that never ends does not fill the machine.
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
