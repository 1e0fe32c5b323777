internal import TrafficOrigin

/// A kind of request: what the origin does, and what the program does.
struct Kind: Sendable {
    /// How many of the bytes that the origin wrote a client must have read.
    enum Completeness: Sendable {
        case whole
        /// The exchange is cut while it runs, so the client may read less than the origin wrote.
        case cut
    }

    /// The name, which is the second part of the path.
    let name: String
    let script: @Sendable (OriginRequest) -> Script
    let perform: @Sendable (Caller) async -> [CallResult]
    let completeness: Completeness
    /// Whether the program uses `URLSession.shared`, which not every way meters.
    let usesShared: Bool

    init(
        _ name: String, _ script: Script, cut completeness: Completeness = .whole, usesShared: Bool = false,
        _ perform: @escaping @Sendable (Caller) async -> [CallResult]
    ) {
        self.init(name, cut: completeness, usesShared: usesShared, answering: { _ in script }, perform)
    }

    init(
        _ name: String, cut completeness: Completeness = .whole, usesShared: Bool = false,
        answering script: @escaping @Sendable (OriginRequest) -> Script,
        _ perform: @escaping @Sendable (Caller) async -> [CallResult]
    ) {
        self.name = name
        self.script = script
        self.perform = perform
        self.completeness = completeness
        self.usesShared = usesShared
    }
}
