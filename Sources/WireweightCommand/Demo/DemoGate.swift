/// Lets calls through, or holds them back while work runs that must not overlap with a call.
actor DemoGate {
    private var isOpen = true
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits until the gate is open, and enters; the caller must call ``leave()`` afterwards.
    func enter() async {
        while !isOpen { await change() }
        inside += 1
    }

    /// Reports that a call has ended.
    func leave() {
        inside -= 1
        resumeWaiting()
    }

    /// Runs work while no call is under way.
    func whileEmpty<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
        while !isOpen { await change() }
        isOpen = false
        defer {
            isOpen = true
            resumeWaiting()
        }
        while inside > 0 { await change() }
        return try await work()
    }

    private func change() async { await withCheckedContinuation { waiting.append($0) } }

    private func resumeWaiting() {
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}
