/// What ``metering(hosts:patience:_:)`` needs.
public enum Metering {
    /// Whether this process can be metered: on Linux.
    ///
    /// Elsewhere `metering` throws ``MeteringError``.
    ///
    /// Tests that several platforms share need no `#if`:
    ///
    /// ```swift
    /// @Test(.enabled(if: Metering.isPossible)) func theFeedIsLight() async throws {
    ///     let traffic = try await metering { try await client.loadFeed() }
    ///     #expect(traffic.fits(.kilobytes(40)))
    /// }
    /// ```
    public static var isPossible: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
