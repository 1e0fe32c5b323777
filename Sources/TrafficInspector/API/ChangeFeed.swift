internal import Dispatch
internal import TrafficModel
internal import TrafficReports

/// What has changed in a store, for pages that watch: looks once for all of them, and only while one watches.
///
/// The store itself is looked at, not the events of an observer: so what is shown is what is kept, under its number in
/// the file, and a file that another process writes is seen live, too.
actor ChangeFeed {
    /// One message to the pages.
    struct Message: Sendable {
        let id: UInt64
        /// `rows`, `status` or `reset`.
        let name: String
        let data: String

        /// As a server-sent event.
        func text(epoch: UInt32) -> String { "id: \(epoch)-\(id)\nevent: \(name)\ndata: \(data)\n\n" }
    }

    /// What a page gets next.
    enum Next: Sendable {
        case messages([Message])
        /// Nothing for a while.
        case silence
        /// It has missed too much.
        case missed(upTo: UInt64)
    }

    /// Bounds on what is kept for pages that come back.
    private static let keptMessages = 512
    private static let keptBytes = 4 << 20
    /// More new rows than this at once are not told one by one.
    private static let rowsAtOnce = 2_000
    private static let watchedRunning = 1_000

    /// Tells messages of this server from those of an earlier one.
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
    // Those that run, with what was last told of them, as a hash.
    private var running: [Int64: Int] = [:]
    private var status = ""
    private var statusAgain = ContinuousClock.now
    private var statusWaits = false

    init(_ source: any ChangeSource) { self.source = source }

    /// The number of the last message.
    var last: UInt64 { made }

    /// A page begins to watch.
    func enter() async {
        watchers += 1
        guard looking == nil else { return }
        looking = Task { await look() }
    }

    /// It ends.
    func leave() {
        watchers -= 1
        guard watchers == 0 else { return }
        looking?.cancel()
        looking = nil
        // What happens unwatched is not followed.
        seen = nil
    }

    /// The present status, as a message that is no part of the sequence.
    func currentStatus() async -> String { await source.status() }

    /// What came after a message; waits for something to come.
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

    private func tell(_ name: String, _ data: String) {
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
        if state == seen { return await tellStatusThatWaits() }
        defer { seen = state }
        guard let seen else {
            // The begin: what is there already is read by the page itself.
            return await beginAnew()
        }
        guard seen.generation == state.generation else {
            await beginAnew()
            return tell("reset", "{}")
        }
        let changes = await source.changes(after: newest, of: running, limit: Self.rowsAtOnce)
        if changes.hasMore {
            await beginAnew()
            tell("reset", "{}")
        } else {
            newest = max(newest, changes.newest)
            for (id, told) in changes.running where running[id] != nil || running.count < Self.watchedRunning {
                running[id] = told
            }
            for id in changes.ended { running[id] = nil }
            if !changes.rows.isEmpty {
                tell("rows", "{\"rows\":[\(changes.rows.joined(separator: ","))]}")
            }
        }
        await tellStatus()
    }

    // The last change may have come too soon after the one before.
    private func tellStatusThatWaits() async {
        guard statusWaits else { return }
        await tellStatus()
    }

    private func beginAnew() async {
        let (newest, running) = await source.present(Self.watchedRunning)
        self.newest = newest
        self.running = running
    }

    /// Tells the status if it is another; not often, for its figures take their time in a large store.
    ///
    /// - Parameter isUrgent: whether it must be told at once.
    func tellStatus(isUrgent: Bool = false) async {
        statusWaits = true
        guard isUrgent || ContinuousClock.now >= statusAgain else { return }
        statusWaits = false
        let begin = ContinuousClock.now
        let now = await source.status()
        let end = ContinuousClock.now
        statusAgain = max(begin.advanced(by: .milliseconds(200)), end.advanced(by: begin.duration(to: end) * 20))
        guard now != status else { return }
        status = now
        tell("status", now)
    }
}

/// Where a ``ChangeFeed`` looks.
protocol ChangeSource: Sendable {
    /// What changes with the store; nil where it cannot be read.
    func state() async -> StoreState?
    /// The newest exchange, and those that run.
    func present(_ limit: Int) async -> (newest: Int64, running: [Int64: Int])
    /// What is new, and what has become of those that ran; of these, what is as it was told is left out.
    func changes(after: Int64, of running: [Int64: Int], limit: Int) async -> RowChanges
    /// The overview as JSON.
    func status() async -> String
}

/// New and changed rows, as JSON, in the order of their numbers.
struct RowChanges: Sendable {
    var rows: [String] = []
    var newest: Int64 = 0
    /// Those among them that run, with a hash of their rows.
    var running: [Int64: Int] = [:]
    /// Those that ran and have ended, or are gone.
    var ended: [Int64] = []
    /// There is more than was asked for.
    var hasMore = false
}
