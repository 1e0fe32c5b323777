import Foundation
package import WireweightTesting

extension LoopbackOrigin {
    /// Calls it that many seconds after the origin has got the head of a request for that target, a minute later at most.
    package func after(_ seconds: Double, arrivalOf target: String, _ act: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            for _ in 0..<30_000 {
                if exchanges.contains(where: { $0.target == target }) { break }
                Thread.sleep(forTimeInterval: 0.002)
            }
            Thread.sleep(forTimeInterval: seconds)
            act()
        }
    }
}
