import Foundation

/// Waits until a condition holds or a number of seconds has passed.
///
/// - Returns: whether the condition held in time.
package func eventually(seconds: Double = 30, _ condition: () -> Bool) async -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < end {
        if condition() { return true }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return condition()
}
