internal import Dispatch
internal import TrafficModel

/// Reports changes of a store to the pages that watch it.
///
/// It polls once for all pages, and only while one watches.
///
/// It polls the store instead of following an observer's events. So pages show what is stored, under its number in the
/// file, and they also show live what another process writes.
actor ChangeFeed {
    /// One message to the pages.
    struct Message: Sendable {
        let id: UInt64
        /// `rows`, `status` or `reset`.
        let name: String
        let data: String

        /// The message as a server-sent event.
        func text(epoch: UInt32) -> String { "id: \(epoch)-\(id)\nevent: \(name)\ndata: \(data)\n\n" }
    }

    /// What a page gets next.
    enum Next: Sendable {
        case messages([Message])
        /// Nothing has changed for a while.
        case silence
        /// The page has missed messages that are no longer kept, and must reload.
        case missed(upTo: UInt64)
    }

    /// Limits of what is kept for pages that reconnect.
    private static let keptMessages = 512
    private static let keptBytes = 4 << 20
    /// With more new rows than this at once, pages reload instead.
    private static let rowsAtOnce = 2_000
    private static let watchedRunning = 1_000

    /// Distinguishes messages of this server from those of an earlier one.
    nonisolated let epoch = UInt32.random(in: 1 ... .max)

    private let source: any ChangeSource
    private var messages: [Message] = []
    private var bytes = 0
    private var made: UInt64 = 0
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var waiterCount: UInt64 = 0
    private var watchers = 0
    private var looking: Task<Void, Never>?
    private var seen: StoreState?
    private var newest: Int64 = 0
    // Running exchanges, each with the hash of the row that was last sent.
    private var running: [Int64: Int] = [:]
    private var status = ""
    private var statusAgain = ContinuousClock.now
    private var statusWaits = false

    init(_ source: any ChangeSource) { self.source = source }

    /// The number of the last message.
    var last: UInt64 { made }

    /// Call it when a page starts to watch.
    ///
    /// - Parameter isReturning: whether the page knows messages of this feed. It then gets what changed while no page
    ///   watched; others have just read it.
    func enter(isReturning: Bool = false) async {
        watchers += 1
        guard looking == nil else { return }
        if seen != nil && !isReturning { forget() }
        looking = Task { await look() }
    }

    // What has changed since the last look gets no messages: pages that return later must reload.
    private func forget() {
        seen = nil
        messages = []
        bytes = 0
        made += 1
    }

    /// Call it when a page stops watching.
    func leave() {
        watchers -= 1
        guard watchers == 0 else { return }
        // Changes are not followed while no page watches. A page that returns gets them then.
        looking?.cancel()
        looking = nil
    }

    /// The current status; it has no number in the sequence of messages.
    func currentStatus() async -> String { await source.status() }

    /// The messages after a given one; waits up to 15 seconds for the first.
    func next(after last: UInt64) async -> Next {
        if let answer = answer(after: last) { return answer }
        await wait(.seconds(15))
        return answer(after: last) ?? .silence
    }

    private func answer(after last: UInt64) -> Next? {
        guard last < made else { return last > made ? .missed(upTo: made) : nil }
        guard let first = messages.first, last + 1 >= first.id else { return .missed(upTo: made) }
        return .messages(Array(messages[Int(last + 1 - first.id)...]))
    }

    private func wait(_ time: Duration) async {
        waiterCount += 1
        let key = waiterCount
        let alarm = Task {
            try await Task.sleep(for: time)
            self.wake(key)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiters[key] = continuation }
            }
        } onCancel: {
            Task { await self.wake(key) }
        }
        alarm.cancel()
    }

    private func wake(_ key: UInt64) { waiters.removeValue(forKey: key)?.resume() }

    private func send(_ name: String, _ data: String) {
        made += 1
        messages.append(Message(id: made, name: name, data: data))
        bytes += data.utf8.count
        while messages.count > Self.keptMessages || (bytes > Self.keptBytes && messages.count > 1) {
            bytes -= messages.removeFirst().data.utf8.count
        }
        let woken = waiters
        waiters = [:]
        for waiter in woken.values { waiter.resume() }
    }

    // MARK: looking

    private func look() async {
        while !Task.isCancelled {
            await lookOnce()
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func lookOnce() async {
        guard let state = await source.state() else { return }
        if state == seen { return await sendWaitingStatus() }
        defer { seen = state }
        guard let seen else {
            // The first look: the page itself reads what is there already.
            return await restart()
        }
        guard seen.generation == state.generation else {
            await restart()
            return send("reset", "{}")
        }
        let changes = await source.changes(after: newest, of: running, limit: Self.rowsAtOnce)
        if changes.hasMore {
            await restart()
            send("reset", "{}")
        } else {
            newest = max(newest, changes.newest)
            for (id, change) in changes.running where running[id] != nil || running.count < Self.watchedRunning {
                running[id] = change
            }
            for id in changes.ended { running[id] = nil }
            if !changes.rows.isEmpty {
                send("rows", "{\"rows\":[\(changes.rows.joined(separator: ","))]}")
            }
        }
        await sendStatus()
    }

    // The last change may have been too soon after the one before to be sent.
    private func sendWaitingStatus() async {
        guard statusWaits else { return }
        await sendStatus()
    }

    private func restart() async {
        let (newest, running) = await source.present(Self.watchedRunning)
        self.newest = newest
        self.running = running
    }

    /// Sends the status if it has changed; not often, because its figures take time in a large store.
    ///
    /// - Parameter isUrgent: whether to send it at once.
    func sendStatus(isUrgent: Bool = false) async {
        statusWaits = true
        guard isUrgent || ContinuousClock.now >= statusAgain else { return }
        statusWaits = false
        let begin = ContinuousClock.now
        let now = await source.status()
        let end = ContinuousClock.now
        statusAgain = max(begin.advanced(by: .milliseconds(200)), end.advanced(by: begin.duration(to: end) * 20))
        guard now != status else { return }
        status = now
        send("status", now)
    }
}

/// The store that a ``ChangeFeed`` polls.
protocol ChangeSource: Sendable {
    /// A value that changes with the store; nil if the store cannot be read.
    func state() async -> StoreState?
    /// The number of the newest exchange, and the running ones among the newest `limit`.
    func present(_ limit: Int) async -> (newest: Int64, running: [Int64: Int])
    /// New rows, and those rows of running exchanges that differ from what was last sent.
    func changes(after: Int64, of running: [Int64: Int], limit: Int) async -> RowChanges
    /// The overview as JSON.
    func status() async -> String
}

/// New and changed rows as JSON, in the order of their numbers.
struct RowChanges: Sendable {
    var rows: [String] = []
    var newest: Int64 = 0
    /// The running exchanges among them, with the hashes of their rows.
    var running: [Int64: Int] = [:]
    /// Exchanges that were running and have ended or were deleted.
    var ended: [Int64] = []
    /// Whether there are more rows than the limit.
    var hasMore = false
}
