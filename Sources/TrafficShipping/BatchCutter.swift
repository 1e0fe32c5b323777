internal import FleetTables
internal import RowBinary
internal import TrafficModel
internal import TrafficStore

/// Takes rows out of a store and makes batches of them, one step at a time.
///
/// What a step takes is decided by the store alone, and kept there before it is sent.
struct BatchCutter {
    let reader: StoreReader
    let store: ShippingStore
    let options: ShippingOptions
    let url: String
    let format: ShippingFormat

    /// A step of a round: what it takes out of the store.
    enum Step {
        case templates, sums, exchanges, connections, losses, installations, audits, metrics
    }

    /// The exchanges and connections that a step looks at.
    private static let mostLookedAt = 20_000
    /// The rows with which a step ends.
    private static let mostRows = RowBatches<FleetExchange>.mostRows

    /// Takes what a step has; returns whether it has more.
    func cut(_ step: Step, now: Timestamp) throws -> Bool {
        let context = try Context(self)
        var cut = ShippingCut()
        switch step {
        case .templates: try cutTemplates(context, &cut)
        case .sums: try cutSums(context, &cut)
        case .exchanges: try cutExchanges(context, &cut)
        case .connections: try cutConnections(context, &cut)
        case .losses: try cutLosses(context, &cut)
        case .installations: try cutInstallations(context, &cut, now: now)
        case .audits: try cutAudit(context, &cut, now: now)
        case .metrics: try cutMetrics(context, &cut)
        }
        // If another shipper was faster, the rest is what it has left.
        if !cut.isEmpty, try !store.take(cut, in: context.turn) { return true }
        return cut.hasMore
    }

    /// What all rows of a step need.
    struct Context {
        let turn: ShippingTurn
        let installation: InstallationID
        let resources: [StoredResource]

        var state: ShippingState { turn.state }
        private var revision: UInt64 { turn.revision }

        init(_ cutter: BatchCutter) throws {
            turn = try cutter.store.begin(for: cutter.url)
            installation = try cutter.reader.installation()
            resources = try cutter.reader.resources()
        }

        /// The origin of an exchange; without one, of what is written now.
        func origin(ofExchange number: Int64? = nil) -> FleetOrigin {
            let stored = number.map { number in resources.last { $0.firstExchange <= number } } ?? resources.last
            return origin(stored ?? resources.first)
        }

        func origin(_ stored: StoredResource?) -> FleetOrigin {
            var origin = FleetOrigin()
            origin.installation = installation
            origin.resource = stored?.resource ?? TrafficResource()
            origin.run = stored?.run ?? 0
            origin.revision = revision
            return origin
        }

        /// What identifies the batches that the step sends to a target.
        func token(_ target: String) -> String { "\(installation)/\(target)/\(revision)" }

        func batches<Row: FleetRow>(of rows: [Row]) -> [ShippingBatch] {
            let batches = RowBatches<Row>(token: token(Row.table.name))
            for var row in rows { batches.add(&row) }
            return batches.end()
        }
    }

    // MARK: Exchanges

    private func cutExchanges(_ context: Context, _ cut: inout ShippingCut) throws {
        let batches = exchangeBatches(context)
        var origins = OriginLookup(context)
        let devices = try DeviceNumbers(for: options.share, of: reader)
        var ended: Int64 = 0
        func add(_ exchange: inout StoredExchange) {
            guard options.excluded.isEmpty || !options.excluded.contains(exchange.request.authority) else { return }
            ended += 1
            guard options.includes(task: exchange.task.rawValue, of: context.installation) else { return }
            devices.replace(&exchange.request.process)
            batches.add(&exchange, origin: origins.origin(of: exchange.id.rawValue))
        }
        let open = try reader.openRows(of: context.state.destination, areConnections: false)
        let found = Dictionary(
            uniqueKeysWithValues: try reader.heads(of: open.map { StoredExchange.ID($0.id) }).map {
                ($0.id.rawValue, $0)
            })
        for row in open {
            if var exchange = found[row.id] {
                guard exchange.hasEnded else { continue }
                add(&exchange)
            } else {
                cut.overtaken += 1
            }
            cut.closed.append(row)
        }
        var looked = 0
        let before = StoredExchange.ID(context.state.nextExchange - 1)
        try reader.forEachHead(after: before, with: options.share.parts) { exchange in
            let id = exchange.id.rawValue
            if exchange.hasEnded {
                add(&exchange)
            } else {
                cut.opened.append(ShippingCut.Open(isConnection: false, id: id))
            }
            cut.nextExchange = id + 1
            looked += 1
            cut.hasMore = looked >= Self.mostLookedAt || batches.total >= Self.mostRows
            return !cut.hasMore
        }
        cut.batches = batches.end()
        guard ended > 0 else { return }
        let notes = try reader.shippingNotes(of: context.state.destination)
        cut.notes.append((Self.endedNote, (notes[Self.endedNote] ?? 0) + ended))
    }

    private func exchangeBatches(_ context: Context) -> any ExchangeBatches {
        switch format {
        case .rows:
            FleetExchangeBatches(
                token: context.token(FleetExchange.table.name), weight: options.weight, share: options.share)
        case .telemetry:
            SpanBatches(
                token: context.token(ShippingFormat.spans), installation: context.installation, share: options.share)
        }
    }

    /// Under this name the store keeps how many exchanges have been looked at, whether they were chosen or not.
    private static let endedNote = "exchanges"

    // MARK: Connections

    private func cutConnections(_ context: Context, _ cut: inout ShippingCut) throws {
        var taken: [StoredConnection] = []
        func isChosen(_ connection: StoredConnection) -> Bool {
            options.includes(task: -connection.id.rawValue, of: context.installation)
        }
        let open = try reader.openRows(of: context.state.destination, areConnections: true)
        let found = Dictionary(
            uniqueKeysWithValues: try reader.connections(of: open.map { StoredConnection.ID($0.id) }).map {
                ($0.id.rawValue, $0)
            })
        for row in open {
            guard let connection = found[row.id] else {
                cut.closed.append(row)
                continue
            }
            let digest = Self.digest(connection)
            if digest != row.digest { taken.append(connection) }
            if connection.closedAt != nil {
                cut.closed.append(row)
            } else if digest != row.digest {
                cut.opened.append(ShippingCut.Open(isConnection: true, id: row.id, digest: digest))
            }
        }
        var looked = 0
        let before = StoredConnection.ID(context.state.nextConnection - 1)
        try reader.forEachConnection(order: .oldestFirst, after: before) { connection in
            cut.nextConnection = connection.id.rawValue + 1
            looked += 1
            if isChosen(connection) {
                taken.append(connection)
                if connection.closedAt == nil {
                    cut.opened.append(
                        ShippingCut.Open(
                            isConnection: true, id: connection.id.rawValue, digest: Self.digest(connection)))
                }
            }
            cut.hasMore = looked >= Self.mostLookedAt || taken.count >= Self.mostRows
            return !cut.hasMore
        }
        let first = try reader.firstExchanges(on: taken.map(\.id))
        let excluded = try excludedExchanges(among: Array(first.values))
        let devices = try DeviceNumbers(for: options.share, of: reader)
        cut.batches = context.batches(
            of: taken.filter { first[$0.id].map { !excluded.contains($0) } ?? true }.map {
                var row = FleetConnection(
                    $0, origin: context.origin(ofExchange: first[$0.id]), weight: options.weight, share: options.share)
                devices.replace(&row.record.process)
                return row
            })
    }

    private func excludedExchanges(among numbers: [Int64]) throws -> Set<Int64> {
        if options.excluded.isEmpty { return [] }
        let heads = try reader.heads(of: numbers.sorted().map { StoredExchange.ID($0) })
        return Set(heads.filter { options.excluded.contains($0.request.authority) }.map(\.id.rawValue))
    }

    private static func digest(_ connection: StoredConnection) -> Int64 {
        digest(FleetConnection(connection, origin: FleetOrigin(), weight: 1, share: .all))
    }

    private static func digest<Row: FleetRow>(_ row: Row) -> Int64 {
        var writer = RowBinaryWriter()
        Row.table.write(row, to: &writer)
        return digest(of: [writer.bytes])
    }

    /// FNV-1a over bytes.
    static func digest(of parts: [[UInt8]]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return Int64(bitPattern: hash)
    }

    // MARK: Sums

    private func cutSums(_ context: Context, _ cut: inout ShippingCut) throws {
        let runs = try reader.runs()
        let devices = try DeviceNumbers(for: options.share, of: reader)
        var rows: [FleetSums] = []
        for width in Set([context.state.coarsest, context.state.finest]).sorted(by: >) {
            let changed = try reader.changedSlots(for: context.state.destination, width: width)
            try reader.forEachSlot(changed) { slot, kinds in
                guard rows.count < Self.mostRows else {
                    cut.hasMore = true
                    return false
                }
                let kinds = kinds.filter { !options.excluded.contains($0.key.host ?? "") }
                var slot = slot
                let sent = kinds.reduce(0) { $0 + $1.sums.requests }
                if sent != slot.sent {
                    let origin = context.origin(of: slot, runs)
                    for kind in kinds {
                        var row = row(kind, slot, origin, isWhole: width == context.state.coarsest)
                        row.key.process = row.key.process.map { devices.shown($0) }
                        rows.append(row)
                    }
                }
                slot.sent = sent
                cut.slots.append(slot)
                return true
            }
        }
        cut.batches = context.batches(of: rows)
    }

    private func row(
        _ total: KindTotal, _ slot: ShippingCut.Slot, _ origin: FleetOrigin, isWhole: Bool
    ) -> FleetSums {
        var row = FleetSums()
        row.origin = origin
        row.width = UInt16(clamping: slot.width)
        row.slot = slot.slot
        row.isWhole = isWhole
        row.kind = total.kind
        row.key = total.key
        row.sums = total.sums
        return row
    }

    // MARK: The rest

    private func cutTemplates(_ context: Context, _ cut: inout ShippingCut) throws {
        var rows: [FleetTemplate] = []
        for (api, sent) in try reader.changedTemplates(for: context.state.destination) {
            cut.templates.append((api.id, api.template))
            // A template that was given is sent as its own, so that a fleet does not merge it with others either.
            let before = sent ?? (api.isGiven ? api.template : nil)
            guard let before, !options.excluded.contains(api.host) else { continue }
            var row = FleetTemplate()
            row.origin = context.origin()
            (row.method, row.authority, row.template, row.shown) = (api.method, api.host, before, api.template)
            rows.append(row)
        }
        cut.batches = context.batches(of: rows)
    }

    private func cutLosses(_ context: Context, _ cut: inout ShippingCut) throws {
        let notes = try reader.shippingNotes(of: context.state.destination)
        var rows: [FleetLoss] = []
        let own = [("shippingOvertaken", context.state.overtaken), ("shippingRefused", context.state.refused)]
        for (reason, count) in try reader.losses().map({ ($0.reason.rawValue, $0.count) }) + own {
            let name = "loss \(reason)"
            guard count != notes[name] ?? 0 else { continue }
            var row = FleetLoss()
            (row.origin, row.reason, row.count) = (context.origin(), reason, count)
            rows.append(row)
            cut.notes.append((name, count))
        }
        cut.batches = context.batches(of: rows)
    }

    private func cutInstallations(_ context: Context, _ cut: inout ShippingCut, now: Timestamp) throws {
        let notes = try reader.shippingNotes(of: context.state.destination)
        let exchanges = notes[Self.endedNote] ?? 0
        var rows: [FleetInstallation] = []
        for (place, stored) in context.resources.enumerated() {
            var row = FleetInstallation()
            row.firstExchange = stored.firstExchange
            row.details = options.share(of: context.installation)
            row.sendsSumsAlone = options.sendsSumsAlone
            (row.finest, row.coarsest) = (UInt16(context.state.finest), UInt16(context.state.coarsest))
            // Only the newest grows.
            row.exchanges = place == context.resources.count - 1 ? exchanges : 0
            row.origin = context.origin(stored)
            row.origin.revision = 0
            let digest = Self.digest(row)
            let name = "installation \(stored.firstExchange)"
            guard notes[name] != digest else { continue }
            row.origin = context.origin(stored)
            row.seen = now.nanoseconds / 1_000
            rows.append(row)
            cut.notes.append((name, digest))
        }
        cut.batches = context.batches(of: rows)
    }
}

extension BatchCutter.Context {
    // Sums have no exchange; the run that was the last to begin before the slot's end had them metered.
    func origin(of slot: ShippingCut.Slot, _ runs: [(run: Int64, opened: Timestamp)]) -> FleetOrigin {
        let end = (slot.slot + 1).multipliedReportingOverflow(by: Int64(slot.width) * 60_000_000_000).partialValue
        let opened = Dictionary(runs.map { ($0.run, $0.opened.nanoseconds) }) { $1 }
        var origin = origin(resources.last { opened[$0.run] ?? .min < end } ?? resources.first)
        // A slot may have several.
        origin.resource.carrier = ""
        return origin
    }
}

/// Finds the origins of exchanges; most have that of the one before.
private struct OriginLookup {
    private let context: BatchCutter.Context
    private var numbers: Range<Int64> = 0..<0
    private var last = FleetOrigin()

    init(_ context: BatchCutter.Context) { self.context = context }

    mutating func origin(of exchange: Int64) -> FleetOrigin {
        if !numbers.contains(exchange) {
            let resources = context.resources
            let place = resources.lastIndex { $0.firstExchange <= exchange }
            let next = place.map { $0 + 1 } ?? 0
            numbers = exchange..<max(exchange, next < resources.count ? resources[next].firstExchange : .max)
            last = context.origin(ofExchange: exchange)
        }
        return last
    }
}

extension StoredExchange {
    // Comparing with nil would compare records.
    fileprivate var hasEnded: Bool { end.map { _ in true } ?? false }
}

extension FleetShare {
    /// What of an exchange is read to share it.
    fileprivate var parts: ExchangeParts {
        var parts: ExchangeParts = []
        if self >= .paths { parts.insert(.path) }
        if self >= .queries { parts.insert(.query) }
        if self >= .headers { parts.insert(.lines) }
        if self >= .all { parts.insert(.address) }
        return parts
    }
}

extension ShippingCut {
    fileprivate var isEmpty: Bool {
        batches.isEmpty && nextExchange == nil && nextConnection == nil && overtaken == 0 && opened.isEmpty
            && closed.isEmpty && slots.isEmpty && templates.isEmpty && notes.isEmpty
    }
}
