#if os(Linux)
    import Observing
    import Testing
    import TrafficModel

    @Suite struct LocalInterfacesTests {
        @Test func thisMachinesOwnAddressesAreLoopback() {
            var interfaces = LocalInterfaces()
            #expect(
                interfaces.network(local: "127.0.0.1", remote: "127.0.0.1") == .init(interface: "lo", isLoopback: true))
            #expect(interfaces.network(local: "127.9.8.7", remote: "127.0.0.1")?.isLoopback == true)
            #expect(interfaces.network(local: "::ffff:127.0.0.1", remote: "::ffff:127.0.0.1")?.interface == "lo")
            #expect(interfaces.network(local: "203.0.113.77", remote: "198.51.100.1") == nil)
            #expect(interfaces.network(local: "", remote: "") == nil)
        }
    }
#endif
