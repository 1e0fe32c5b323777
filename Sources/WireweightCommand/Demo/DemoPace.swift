/// Spreads calls over time, so that a person can follow them on the page.
actor DemoPace {
    /// The time between two calls: about seven calls a second.
    static let readable = Duration.milliseconds(140)

    private let interval: Duration
    private var next = ContinuousClock.now

    init(_ interval: Duration) { self.interval = interval }

    /// Waits until the next call is due.
    func wait() async {
        let mine = max(next, ContinuousClock.now)
        next = mine.advanced(by: interval)
        try? await Task.sleep(until: mine, clock: .continuous)
    }
}
