internal import ClickHouse
internal import FleetTables
internal import TrafficModel
internal import TrafficShipping
internal import Wireweight

// The settings in the words of the rooms that ship.
extension TrafficMonitor.Shipping {
    func address() throws -> FleetURL {
        let address = try FleetURL(url)
        guard address.parameters.isEmpty else {
            throw ClickHouseError(
                .badAddress, "the address to ship to selects nothing, so it has no parameters; remove what follows '?'")
        }
        return address
    }

    func credentials() throws -> ClickHouseCredentials {
        switch login {
        case .token(let token): try ClickHouseCredentials(token: token).checked()
        case .user(let user, let password): try ClickHouseCredentials(user: user, password: password).checked()
        }
    }

    func options(to address: FleetURL) throws(MonitorError) -> ShippingOptions {
        for (name, share) in [("details", details), ("cohort", cohort)] where !(0...1).contains(share) {
            throw MonitorError(
                code: .wrongConfiguration, message: "'\(name)' is \(share); it must be a share from 0 to 1", cause: nil)
        }
        if let bytesPerHour, bytesPerHour <= .zero {
            throw MonitorError(
                code: .wrongConfiguration, message: "'bytesPerHour' must be more than 0 bytes, or nil", cause: nil)
        }
        var options = ShippingOptions()
        // The names are the same in both.
        options.share = FleetShare(name: share.description) ?? .templates
        options.sums = ShippingOptions.Sums(rawValue: sums.description) ?? .hours
        options.details = details
        options.audits = audits
        options.cohort = cohort
        options.bytesPerHour = bytesPerHour?.bytes
        options.excluded = [
            Authority.text(host: address.host, port: address.port, scheme: address.isSecure ? "https" : "http")
        ]
        return options
    }
}
