package import ClickHouse
internal import FleetTables
internal import TrafficModel
package import TrafficStore

/// ClickHouse, over its HTTP interface.
package struct ClickHouseDestination: ShippingDestination {
    private let client: ClickHouseClient
    /// The address without parameters.
    package let url: String

    /// The destination of that client.
    package init(_ client: ClickHouseClient) {
        self.client = client
        var address = client.url
        address.parameters = [:]
        url = address.description
    }

    package var authority: String {
        Authority.text(host: client.url.host, port: client.url.port, scheme: client.url.isSecure ? "https" : "http")
    }

    package var format: ShippingFormat { .rows }

    package func cancel() { client.cancel() }

    package func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String) {
        guard let table = FleetSchema.tables.first(where: { $0.name == batch.target }) else {
            return (.refused, "this version has no table '\(batch.target)'")
        }
        do {
            // An older version may have cut it, when the table had fewer columns.
            let columns = batch.columns.isEmpty ? table.sent : batch.columns
            try client.insert(
                into: table.name, columns: columns, body: batch.body, isCompressed: true, token: batch.token)
            return (.accepted, "")
        } catch let error as ClickHouseError {
            return (outcome(of: error), error.message)
        } catch {
            return (.later(after: nil), "\(error)")
        }
    }

    private func outcome(of error: ClickHouseError) -> ShippingSchedule.Outcome {
        switch error.code {
        case .tooLarge: .tooLarge
        case .denied, .missing, .badAddress: .blocked
        case .rejected: .refused
        default: .later(after: error.retryAfter)
        }
    }
}
