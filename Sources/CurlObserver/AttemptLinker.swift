internal import HTTPWire
internal import TrafficModel

/// Finds the exchange that another one continues.
///
/// libcurl does not link a transfer to the program's task. But a program that follows a redirect itself, or responds to
/// a challenge, uses the same handle again at once.
///
/// URLSession on Linux responds to a challenge on a new handle. Such a request is recognised by its target, which was
/// just refused without `Authorization` and is now requested with it.
struct AttemptLinker {
    /// What the linker remembers of an exchange, by its handle.
    struct Attempt {
        var task: ExchangeID
        var number: Int
        var status: Int
        var location: String?
        var target: RequestTarget
        var hadAuthorization: Bool
        /// When it ended; monotonic.
        var endedAt: UInt64 = 0

        /// Whether the server demanded credentials, and the request may be sent again with them.
        var isChallenge: Bool { (status == 401 || status == 407) && !hadAuthorization }
    }

    /// How long after a challenge a request on another handle counts as its continuation, in nanoseconds.
    private static let patience: UInt64 = 5_000_000_000
    /// The number of challenges that are remembered for other handles.
    private static let mostChallenges = 64

    /// Challenges that no handle has responded to yet, the oldest first.
    private var challenges: [(handle: UInt64, attempt: Attempt)] = []

    private var attempts: [UInt64: Attempt] = [:]
    private var order: [UInt64] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether another exchange can continue one with that status.
    static func leadsOn(status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308, 401, 407: true
        default: false
        }
    }

    /// Remembers an exchange; call it only if its status ``leadsOn(status:)``.
    mutating func remember(_ attempt: Attempt, handle: UInt64) {
        if attempt.isChallenge {
            if challenges.count >= Self.mostChallenges { challenges.removeFirst() }
            challenges.append((handle, attempt))
        }
        if attempts.updateValue(attempt, forKey: handle) == nil { order.append(handle) }
        // Programs make new handles all the time. The oldest ones will not be used again.
        if order.count > 2 * limit {
            for old in order.prefix(limit) { attempts[old] = nil }
            order.removeFirst(limit)
        }
    }

    /// Forgets the last exchange of that handle.
    mutating func forget(handle: UInt64) {
        if attempts.removeValue(forKey: handle) != nil { order.removeAll { $0 == handle } }
        challenges.removeAll { $0.handle == handle }
    }

    /// The exchange that this request continues; nil if the request begins a task.
    ///
    /// Each attempt is returned only once.
    mutating func predecessor(
        handle: UInt64, target: RequestTarget, at time: UInt64 = 0, hasAuthorization: @autoclosure () -> Bool
    ) -> Attempt? {
        guard let attempt = attempts[handle] else {
            return challenges.isEmpty ? nil : challenge(target, at: time, hasAuthorization)
        }
        forget(handle: handle)
        switch attempt.status {
        case 301, 302, 303, 307, 308:
            guard let location = attempt.location else { return nil }
            return Self.leads(location, from: attempt.target, to: target) ? attempt : nil
        case 401, 407:
            return target == attempt.target && !attempt.hadAuthorization && hasAuthorization() ? attempt : nil
        default: return nil
        }
    }

    /// The challenge on another handle to which this request responds.
    private mutating func challenge(
        _ target: RequestTarget, at time: UInt64, _ hasAuthorization: () -> Bool
    ) -> Attempt? {
        challenges.removeAll { time > $0.attempt.endedAt && time - $0.attempt.endedAt > Self.patience }
        let place = challenges.firstIndex { $0.attempt.target == target && $0.attempt.endedAt <= time }
        guard let place, hasAuthorization() else { return nil }
        let (handle, attempt) = challenges[place]
        forget(handle: handle)
        return attempt
    }

    /// Whether a `Location` (RFC 9110, section 10.2.2) leads from one URL to the other.
    static func leads(_ location: String, from: RequestTarget, to target: RequestTarget) -> Bool {
        if let absolute = RequestTarget(url: location) { return absolute == target }
        if location.hasPrefix("//") { return RequestTarget(url: "\(from.scheme):\(location)") == target }
        guard from.scheme == target.scheme, from.host == target.host, from.port == target.port else { return false }
        let wanted = target.path + (target.query.map { "?\($0)" } ?? "")
        let reference = location.prefix { $0 != "#" }
        if reference.hasPrefix("/") { return wanted == reference }
        if reference.hasPrefix("?") { return wanted == from.path + reference }
        let folder = from.path.lastIndex(of: "/").map { from.path[...$0] } ?? "/"
        // The client resolves dot segments; the last segment stays the same.
        return wanted == folder + reference || (reference.contains("./") && wanted.hasSuffix(lastSegment(reference)))
    }

    private static func lastSegment(_ reference: Substring) -> Substring {
        reference.lastIndex(of: "/").map { reference[$0...] } ?? reference
    }
}
