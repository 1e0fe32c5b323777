import Foundation
import Wireweight

/// The programs of the soak test: one without a meter, and one that meters itself.
enum SoakApp {
    /// Makes calls without a meter.
    static func call(address: String, name: String, rate: Double, seconds: Double) async {
        let calls = SoakCalls(address: address)
        await calls.go(seconds: seconds, rate: rate, name: name)
        await calls.settle()
        calls.end()
    }

    /// Makes calls while a monitor is stopped and started repeatedly.
    ///
    /// Every second run of the monitor ends while requests are under way. Each step is printed as a line of JSON.
    static func run(
        store: String, address: String, rate: Double, seconds: Double, life: Double, retention: Int64
    ) async throws {
        let calls = SoakCalls(address: address)
        let end = ContinuousClock.now + .seconds(seconds)
        var number = 0
        while ContinuousClock.now < end {
            number += 1
            var configuration = TrafficMonitor.Configuration(store: store)
            configuration.retention = TrafficMonitor.Configuration.Retention(seconds: retention)
            let monitor = try TrafficMonitor.start(configuration)
            tell("started", number)
            await calls.go(seconds: life, rate: rate, name: "app-\(number)")
            if number % 2 == 0 { await calls.settle() }
            tell("stopping", number)
            await monitor.flush()
            monitor.stop()
            tell("stopped", number, lost: monitor.droppedEvents, error: monitor.lastError.map { "\($0)" })
            await calls.go(seconds: 1, rate: rate, name: "unmetered-\(number)")
            await calls.settle()
        }
        calls.end()
    }

    private static func tell(_ event: String, _ life: Int, lost: Int64 = 0, error: String? = nil) {
        let reason = (error ?? "").replacing("\"", with: "'")
        let moment = Date().timeIntervalSince1970
        let line = #"{"event":"\#(event)","life":\#(life),"t":\#(moment),"lost":\#(lost),"error":"\#(reason)"}"#
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
