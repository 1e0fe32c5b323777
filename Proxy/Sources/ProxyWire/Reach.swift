/// Who may use the proxy, and where to: it must not become a way into the machine that runs it.
package struct Reach: Sendable {
    /// Devices that may use it; programs of this machine always may.
    package var allowed: [AddressRange]
    /// Where link-local addresses may be reached, too.
    package var allowsLinkLocal: Bool

    package init(allowed: [AddressRange] = [], allowsLinkLocal: Bool = false) {
        self.allowed = allowed
        self.allowsLinkLocal = allowsLinkLocal
    }

    package func admits(_ client: IPAddress) -> Bool {
        client.isLoopback || allowed.contains { $0.contains(client) }
    }

    /// Whether this client may reach an address.
    ///
    /// Only what the system's resolver returned is asked, and only the
    /// address that was asked is connected, so a name cannot change in between (DNS rebinding).
    package func permits(_ destination: IPAddress, to client: Client) -> Bool {
        if let inner = destination.translated, !permits(inner, to: client) { return false }
        if destination.isMulticast { return false }
        if destination.isLinkLocal || destination.isMetadataService { return allowsLinkLocal }
        if client.address.isLoopback { return true }
        if destination.isLoopback || destination.isUnspecified { return false }
        // What the device has reached already is no secret; the machine's other networks are.
        return destination == client.reached || !client.machine.contains(destination)
    }

    /// Who asks, and what it asks.
    package struct Client: Sendable {
        package var address: IPAddress
        /// The address of this machine that it has connected.
        package var reached: IPAddress?
        /// The addresses of this machine.
        package var machine: Set<IPAddress>

        package init(address: IPAddress, reached: IPAddress? = nil, machine: Set<IPAddress> = []) {
            self.address = address
            self.reached = reached
            self.machine = machine
        }
    }
}
