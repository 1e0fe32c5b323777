internal import HTTPWire
internal import TrafficModel

/// Tells which exchange goes on from which: libcurl has no link from a transfer to the task that wanted it, but a
/// program that follows a redirect itself, or answers a challenge, uses the same handle again at once.
struct HopLinker {
    /// What an exchange left behind on its handle.
    struct Trace {
        var task: ExchangeID
        var hop: Int
        var status: Int
        var location: String?
        var target: RequestTarget
        var hadAuthorization: Bool
    }

    private var traces: [UInt64: Trace] = [:]
    private var order: [UInt64] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether an exchange of that status can be gone on from.
    static func leadsOn(status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308, 401, 407: true
        default: false
        }
    }

    /// Keeps what an exchange left behind; only one that ``leadsOn(status:)`` is worth it.
    mutating func remember(_ trace: Trace, handle: UInt64) {
        if traces.updateValue(trace, forKey: handle) == nil { order.append(handle) }
        // Handles come and go; the oldest ones are not coming back.
        if order.count > 2 * limit {
            for old in order.prefix(limit) { traces[old] = nil }
            order.removeFirst(limit)
        }
    }

    /// Forgets what was left behind on that handle.
    mutating func forget(handle: UInt64) {
        if traces.removeValue(forKey: handle) != nil { order.removeAll { $0 == handle } }
    }

    /// What this request goes on from; nil when it begins a task.
    ///
    /// A trace serves once.
    mutating func predecessor(
        handle: UInt64, target: RequestTarget, hasAuthorization: @autoclosure () -> Bool
    ) -> Trace? {
        guard let trace = traces[handle] else { return nil }
        forget(handle: handle)
        switch trace.status {
        case 301, 302, 303, 307, 308:
            guard let location = trace.location else { return nil }
            return Self.leads(location, from: trace.target, to: target) ? trace : nil
        case 401, 407:
            return target == trace.target && !trace.hadAuthorization && hasAuthorization() ? trace : nil
        default: return nil
        }
    }

    /// Whether that Location (RFC 9110, section 10.2.2), seen from one URL, is the other.
    static func leads(_ location: String, from: RequestTarget, to target: RequestTarget) -> Bool {
        if let absolute = RequestTarget(url: location) { return absolute == target }
        if location.hasPrefix("//") { return RequestTarget(url: "\(from.scheme):\(location)") == target }
        guard from.scheme == target.scheme, from.host == target.host, from.port == target.port else { return false }
        let wanted = target.path + (target.query.map { "?\($0)" } ?? "")
        let reference = location.prefix { $0 != "#" }
        if reference.hasPrefix("/") { return wanted == reference }
        if reference.hasPrefix("?") { return wanted == from.path + reference }
        let folder = from.path.lastIndex(of: "/").map { from.path[...$0] } ?? "/"
        // Dot segments are resolved by whoever follows; the last segment stays.
        return wanted == folder + reference || (reference.contains("./") && wanted.hasSuffix(lastSegment(reference)))
    }

    private static func lastSegment(_ reference: Substring) -> Substring {
        reference.lastIndex(of: "/").map { reference[$0...] } ?? reference
    }
}
