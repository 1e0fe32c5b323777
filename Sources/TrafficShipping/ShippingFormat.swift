internal import ContentCoding
internal import FleetTables
internal import HTTPWire
internal import RowBinary
internal import TrafficExport
internal import TrafficStore

/// What a destination takes, and in which bytes.
package enum ShippingFormat: Hashable, Sendable {
    /// Rows of all of a fleet's tables, in RowBinary; a batch's target is the table.
    case rows
    /// Spans and cumulative metrics, in OpenTelemetry's Protocol Buffers; a batch's target is ``spans`` or ``metrics``.
    case telemetry

    /// The target of batches of spans.
    package static let spans = "spans"
    /// The target of batches of metrics.
    package static let metrics = "metrics"

    /// The steps of a round, in the order in which what they take is worth most.
    var steps: [BatchCutter.Step] {
        switch self {
        case .rows: [.templates, .sums, .exchanges, .connections, .losses, .installations, .audits]
        // Connections, losses and audits have no place in OpenTelemetry.
        case .telemetry: [.metrics, .exchanges]
        }
    }

    /// A content as it is sent.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { compressed($0) } }

    /// A content as it is sent.
    static func compressed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // The fastest level; the sixth takes three times as long and saves a sixth of the bytes.
        GzipEncoder.encoded(bytes, level: 1) ?? Array(bytes)
    }

    /// The two halves of a batch, whose rows or spans stay as they are; nil if it has one, or cannot be divided.
    static func halves(of batch: ShippingBatch) -> [ShippingBatch]? {
        guard batch.count > 1, let content = ZlibContent(of: batch.body, coding: .gzip, limit: 1 << 30),
            content.ending == .whole
        else { return nil }
        let first = batch.count / 2
        let parts: (first: [UInt8], second: [UInt8])?
        if let table = FleetSchema.tables.first(where: { $0.name == batch.target }) {
            guard let types = table.types(of: batch.columns.isEmpty ? table.sent : batch.columns) else { return nil }
            var reader = RowBinaryReader(content.bytes)
            for _ in 0..<first { reader.skip(types) }
            parts =
                reader.isBroken
                ? nil : (Array(content.bytes[..<reader.offset]), Array(content.bytes[reader.offset...]))
        } else if batch.target == spans {
            parts = OTLPRequests.divided(traces: content.bytes, after: Int(first))
        } else {
            parts = nil
        }
        guard let parts else { return nil }
        return [
            ShippingBatch(
                target: batch.target, token: batch.token + ".1", count: first, columns: batch.columns,
                body: compressed(parts.first)),
            ShippingBatch(
                target: batch.target, token: batch.token + ".2", count: batch.count - first,
                columns: batch.columns, body: compressed(parts.second)),
        ]
    }
}
