package import TrafficModel

/// Writes the traffic of a store in one of the formats; reads one exchange at a time and keeps none.
package struct TrafficExport {
    /// Which of OpenTelemetry's signals to write.
    package enum Signal: String, CaseIterable, Sendable {
        case all, metrics, traces
    }

    /// The format to write.
    package var format: ExportFormat
    /// The exchanges to export.
    package var filter = ExchangeFilter()
    /// The only exchange to export; nil for all that match.
    package var exchange: StoredExchange.ID?
    /// Whether the oldest or the newest exchange comes first.
    package var order = ExchangeOrder.oldestFirst
    /// The largest number of exchanges to write.
    package var limit = Int.max
    /// Whether a HAR contains the bodies that were kept.
    package var includesBodies = false
    /// Which of OpenTelemetry's signals to write.
    package var signal = Signal.all

    /// Creates an export of everything in that format.
    package init(_ format: ExportFormat) { self.format = format }

    /// Writes the export.
    ///
    /// - Parameters:
    ///   - reader: the store.
    ///   - progress: receives the number of exchanges read so far, after each.
    ///   - write: receives the content in pieces: text in UTF-8, or messages.
    /// - Returns: the number of exchanges read.
    /// - Throws: errors of the store and of `write`.
    @discardableResult
    package func write(
        of reader: any TrafficReading, progress: (Int) -> Void = { _ in }, to write: ([UInt8]) throws -> Void
    ) throws -> Int {
        switch format {
        case .har: try rows(of: reader, HAREncoder(includesBodies: includesBodies), progress, write)
        case .csv: try rows(of: reader, CSVEncoder(), progress, write)
        case .ndjson: try rows(of: reader, NDJSONEncoder(), progress, write)
        case .curl: try rows(of: reader, CurlEncoder(), progress, write)
        case .openmetrics:
            try sums(of: reader, progress) { totals in
                let overview = try reader.overview()
                try OpenMetricsText(totals, losses: overview.losses).write { try write(Array($0.utf8)) }
            }
        case .otlpJSON: try telemetry(of: reader, progress) { try write($0.line) }
        case .otlpProtobuf: try telemetry(of: reader, progress) { try write($0.framed) }
        }
    }

    private func rows(
        of reader: any TrafficReading, _ encoder: some ExchangeEncoder, _ progress: (Int) -> Void,
        _ write: ([UInt8]) throws -> Void
    ) throws -> Int {
        var encoder = encoder
        try write(Array(encoder.begin().utf8))
        let count = try forEachExchange(of: reader, progress) { try write(Array(encoder.encode($0).utf8)) }
        try write(Array(encoder.end().utf8))
        return count
    }

    private func telemetry(
        of reader: any TrafficReading, _ progress: (Int) -> Void, _ body: (OTLPMessage) throws -> Void
    ) throws -> Int {
        var count = 0
        if signal != .traces {
            // Counted once: with the spans if they are written, too.
            count = try sums(of: reader, signal == .metrics ? progress : { _ in }) { totals in
                try OTLPMetrics(totals).forEachMessage(body)
            }
        }
        guard signal != .metrics else { return count }
        let seed = UInt64(bitPattern: try reader.overview().firstSeen?.nanoseconds ?? 0)
        var encoder = OTLPSpanEncoder(seed: seed)
        count = try forEachExchange(of: reader, progress) { try encoder.add($0).map(body) }
        try encoder.end().map(body)
        return count
    }

    /// Passes on the sums by API: the store's own, or sums of the selected rows if there is a selection.
    private func sums(
        of reader: any TrafficReading, _ progress: (Int) -> Void, _ body: ([TrafficTotal]) throws -> Void
    ) throws -> Int {
        var everything = ExchangeFilter()
        everything.range = filter.range
        var totals: [TrafficTotal]
        var count = 0
        if filter == everything, exchange == nil, limit == .max {
            totals = try reader.totals(by: .api, in: filter.range)
            count = Int(clamping: totals.reduce(0) { $0 + $1.requests })
        } else {
            var sums: [TrafficTotal.Key: TrafficTotal] = [:]
            count = try forEachExchange(of: reader, progress) { exchange in
                let key = exchange.request.apiKey
                sums[key, default: TrafficTotal(key: key)].add(exchange.records)
            }
            totals = Array(sums.values)
        }
        totals.sort { $0.key.order.lexicographicallyPrecedes($1.key.order) }
        try body(totals)
        return count
    }

    private func forEachExchange(
        of reader: any TrafficReading, _ progress: (Int) -> Void, _ body: (StoredExchange) throws -> Void
    ) throws -> Int {
        var count = 0
        if let exchange {
            guard let found = try reader.exchange(exchange) else { throw ExportFailure.noExchange(exchange) }
            try body(found)
            return 1
        }
        try reader.forEachExchange(matching: filter, order: order, after: nil) { exchange in
            try body(exchange)
            count += 1
            progress(count)
            return count < limit
        }
        return count
    }
}

/// Why nothing was exported.
package enum ExportFailure: Error, CustomStringConvertible {
    /// The store has no exchange of that number.
    case noExchange(StoredExchange.ID)

    /// What is wrong, and what to do next.
    package var description: String {
        switch self {
        case .noExchange(let id): "there is no exchange \(id) in the file; 'wireweight exchanges' lists those there are"
        }
    }
}

extension TrafficTotal.Key {
    /// Sorts by host, template, method and direction, so that two exports of one store are equal.
    fileprivate var order: [String] { [host ?? "", template ?? "", method ?? "", direction.rawValue] }
}
