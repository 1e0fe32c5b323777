internal import ContentCoding
package import FleetTables
internal import HTTPWire
internal import RowBinary
internal import TrafficModel
package import TrafficStore

extension ShippingBatch {
    /// The exchanges of the batch; nil if it cannot be read.
    package var exchanges: [FleetExchange]? {
        guard let content = ZlibContent(of: body, coding: .gzip, limit: 1 << 30), content.ending == .whole else {
            return nil
        }
        var reader = RowBinaryReader(content.bytes)
        let rows = (0..<count).map { _ in FleetExchange.table.read(&reader) }
        return reader.isBroken ? nil : rows
    }
}

/// Makes batches of rows, and halves of them.
enum FleetBatches {
    /// More rows than this are more batches.
    static let mostRows = 5_000

    /// The batch of rows of one table.
    static func batch<Row: FleetRow>(of rows: [Row], token: String) -> ShippingBatch {
        var writer = RowBinaryWriter()
        for row in rows { Row.table.write(row, to: &writer) }
        return ShippingBatch(
            target: Row.table.name, token: token, count: Int64(rows.count), body: compressed(writer.bytes))
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        // The fastest level; the sixth takes three times as long and saves a sixth of the bytes.
        GzipEncoder.encoded(bytes, level: 1) ?? bytes
    }

    /// The two halves of a batch, whose rows stay as they are; nil if it has one row, or cannot be read.
    static func halves(of batch: ShippingBatch) -> [ShippingBatch]? {
        guard batch.count > 1, let table = FleetSchema.tables.first(where: { $0.name == batch.target }),
            let content = ZlibContent(of: batch.body, coding: .gzip, limit: 1 << 30), content.ending == .whole
        else { return nil }
        var reader = RowBinaryReader(content.bytes)
        let first = batch.count / 2
        for _ in 0..<first { table.skip(&reader) }
        guard !reader.isBroken else { return nil }
        return [
            ShippingBatch(
                target: batch.target, token: batch.token + ".1", count: first,
                body: compressed(Array(content.bytes[..<reader.offset]))),
            ShippingBatch(
                target: batch.target, token: batch.token + ".2", count: batch.count - first,
                body: compressed(Array(content.bytes[reader.offset...]))),
        ]
    }
}
