package import TrafficModel

/// How much of an exchange leaves the machine; each level includes the one before.
package enum FleetShare: UInt8, Sendable, CaseIterable, Comparable {
    /// Sizes, times, statuses, and what names the API: method, host and URL template.
    case templates = 0
    /// Also paths.
    case paths = 1
    /// Also queries.
    case queries = 2
    /// Also header lines, as the store has them: secrets are replaced.
    case headers = 3
    /// Also addresses, reasons of failures and digests of bodies: all that the store has, except bodies.
    case all = 4

    package static func < (left: FleetShare, right: FleetShare) -> Bool { left.rawValue < right.rawValue }

    /// The name in options.
    package var name: String { "\(self)" }

    /// The level of that name.
    package init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// Leaves what of an exchange is shared.
    package func reduce(_ exchange: inout StoredExchange) {
        exchange.request.capturedBody = nil
        exchange.response?.capturedBody = nil
        if self < .all {
            exchange.request.bodyDigest = nil
            exchange.response?.bodyDigest = nil
            exchange.end?.remoteAddress = ""
            if let failure = exchange.end?.outcome.failure {
                exchange.end?.outcome = .failed(ExchangeFailure(failure.domain, code: failure.code))
            }
        }
        if self < .headers {
            exchange.request.fields = FieldSection()
            exchange.response?.fields = FieldSection()
            exchange.response?.reason = ""
        }
        if self < .queries { exchange.request.query = nil }
        if self < .paths { exchange.request.path = "" }
    }

    /// What of a connection is shared.
    package func reduced(_ record: ConnectionRecord) -> ConnectionRecord {
        var reduced = record
        if self < .all {
            reduced.localAddress = ""
            reduced.remoteAddress = ""
        }
        return reduced
    }
}
