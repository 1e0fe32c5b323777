#if !Server
    /// Not there: the package does not ask for the trait `Server`.
    @available(
        *, unavailable,
        message: "add the trait to the dependency: .package(url: …, from: …, traits: [\"Server\"])"
    )
    public struct TrafficService {}
#endif
