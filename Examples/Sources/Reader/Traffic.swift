#if Metered
    import Wireweight

    /// The meter of the builds that testers get: the only file that imports Wireweight.
    struct Traffic {
        private let monitor = try? TrafficMonitor.start(.init(store: "reader-traffic.db"))

        /// Prints what was sent and received.
        func report() async throws {
            guard let monitor else { return }
            await monitor.flush()
            for total in try monitor.reading().totals(by: .host, in: .always) {
                print("traffic: up \(total.up.total), down \(total.down.total)")
            }
        }
    }
#endif
