import Foundation
package import WireweightTesting

extension LoopbackOrigin {
    /// Calls a function a number of seconds after the headers of a request for a target arrive at the origin.
    ///
    /// It waits at most a minute for them.
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
