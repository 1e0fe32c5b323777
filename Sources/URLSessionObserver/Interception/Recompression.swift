internal import ContentCoding
internal import Dispatch
internal import Foundation
internal import HTTPWire
internal import Locks

/// Compresses decoded bodies again to estimate their size on the wire, on a queue of its own so that no thread of the
/// program waits.
final class Recompression: Sendable {
    /// The number of bytes that may wait; a body that does not fit gets no estimate.
    private let capacity: Int
    private let queue = DispatchQueue(label: "URLSessionObserver.recompression", qos: .utility)
    private let waiting = Mutex(0)

    init(capacity: Int = 8 << 20) { self.capacity = capacity }

    /// A body that is being compressed.
    ///
    /// `@unchecked Sendable`: the estimator is used only on the queue, one piece after the other.
    final class Body: @unchecked Sendable {
        private let owner: Recompression
        private var estimator: CompressedSizeEstimator?
        private let isWhole = Mutex(true)

        fileprivate init(_ estimator: CompressedSizeEstimator, of owner: Recompression) {
            self.estimator = estimator
            self.owner = owner
        }

        /// Adds decoded bytes; returns at once.
        func add(_ data: Data) {
            guard isWhole.withLock({ $0 }) else { return }
            guard owner.reserve(data.count) else {
                isWhole.withLock { $0 = false }
                return
            }
            owner.queue.async { [self] in
                data.withUnsafeBytes { estimator?.add($0) }
                owner.release(data.count)
            }
        }

        /// Calls back on the queue with the size of the compressed body in bytes; nil if there is no estimate.
        func finish(_ done: @escaping @Sendable (Int64?) -> Void) {
            owner.queue.async { [self] in
                let body = isWhole.withLock { $0 } ? estimator?.finish() : nil
                estimator = nil
                if case .decoded(_, let size) = body { done(size) } else { done(nil) }
            }
        }
    }

    /// Makes a body with a `Content-Encoding`; nil if there is no compressor for it.
    func body(contentEncoding: String) -> Body? {
        let estimator = CompressedSizeEstimator(contentEncoding: contentEncoding) { $0.compressor(level: $1) }
        return estimator.map { Body($0, of: self) }
    }

    /// Calls back when all work that was queued before is done.
    func flush(_ done: @escaping @Sendable () -> Void) { queue.async(execute: done) }

    /// Waits until all work that was queued before is done: at most the time to compress ``capacity`` bytes.
    func wait() { queue.sync {} }

    private func reserve(_ count: Int) -> Bool {
        waiting.withLock { waiting in
            guard count <= capacity - waiting else { return false }
            waiting += count
            return true
        }
    }

    private func release(_ count: Int) { waiting.withLock { $0 -= count } }
}
