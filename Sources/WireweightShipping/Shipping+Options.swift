internal import ClickHouse
internal import FleetTables
internal import Foundation
internal import TrafficModel
internal import TrafficShipping
internal import Wireweight

// The settings in the words of the rooms that ship.
extension TrafficMonitor.Shipping {
    func destination() throws -> any ShippingDestination {
        guard OTLPDestination.isMeant(by: url) else {
            return ClickHouseDestination(ClickHouseClient(try address(), credentials: try credentials()))
        }
        return try OTLPDestination(url, fields: fields())
    }

    private func fields() throws -> [(name: String, value: String)] {
        // As OpenTelemetry's own libraries do.
        let usual = OTLPDestination.fields(environment: ProcessInfo.processInfo.environment)
        switch login {
        case .token(let token): return [("Authorization", "Bearer \(token)")]
        case .user(nil, password: nil): return usual
        case .user:
            throw MonitorError(
                code: .wrongConfiguration, message: "a collector takes 'token' or 'headers'; a user is for ClickHouse",
                cause: nil)
        case .headers(let headers):
            let own = headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            let names = Set(own.map { $0.name.lowercased() })
            return own + usual.filter { !names.contains($0.name.lowercased()) }
        }
    }

    private func address() throws -> FleetURL {
        let address = try FleetURL(url)
        guard address.parameters.isEmpty else {
            throw ClickHouseError(
                .badAddress, "the address to ship to selects nothing, so it has no parameters; remove what follows '?'")
        }
        return address
    }

    private func credentials() throws -> ClickHouseCredentials {
        switch login {
        case .token(let token): try ClickHouseCredentials(token: token).checked()
        case .user(let user, let password): try ClickHouseCredentials(user: user, password: password).checked()
        case .headers:
            throw MonitorError(
                code: .wrongConfiguration,
                message:
                    "'headers' are for a collector of OpenTelemetry; ClickHouse takes 'token', or 'user' and 'password'",
                cause: nil)
        }
    }

    func options(to destination: any ShippingDestination) throws(MonitorError) -> ShippingOptions {
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
        options.excluded = [destination.authority]
        return options
    }
}
