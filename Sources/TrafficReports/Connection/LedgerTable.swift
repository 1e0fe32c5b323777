package import TextFormats
package import TrafficModel

/// Connections as a table, two lines each: bytes sent and bytes received, from the payload to what is left over.
///
/// The widths come from the sums, which no row exceeds, so that rows need not be kept in memory.
package struct LedgerTable: Sendable {
    private enum Name: Hashable {
        case connection, peer, proto, network, opened, life, exchanges, way, payload, messages, tls, http2, unaccounted
        case segments, resent, roundTrip, packets
        case rare(ConnectionPart)
    }

    private let layout: TableLayout
    private let columns: [TableLayout.Column]
    private let names: [Name]
    private let sums: LedgerSums
    private let style: TextStyle

    /// Creates a table of the connections in the sums, for a terminal.
    package init(_ sums: LedgerSums, _ style: TextStyle = TextStyle()) {
        func digits(_ value: (LedgerSums.Side) -> Int64) -> Int {
            max(Units.count(value(sums.up)).utf8.count, Units.count(value(sums.down)).utf8.count)
        }
        typealias Column = TableLayout.Column
        let hasAll = style.columns != nil
        let isAdorned = hasAll || sums.up.tls + sums.down.tls != 0
        let hasFrames = hasAll || sums.up.http2 + sums.down.http2 != 0
        let all: [(name: Name, column: Column, width: Int)?] = [
            (.connection, Column(title: "Connection", isNumber: true, dropOrder: 6), 5),
            (
                .peer, Column(title: "Peer", least: 12, comfort: 21, dropOrder: 5),
                max(sums.peerWidth, Self.count(sums.connections).utf8.count)
            ),
            (.proto, Column(title: "Protocol", dropOrder: 12), sums.protocolWidth),
            hasAll || sums.networkWidth > 0
                ? (.network, Column(title: "Network", dropOrder: 19), sums.networkWidth) : nil,
            (.opened, Column(title: "Opened (\(style.zone.name))", dropOrder: 18), 12),
            (.life, Column(title: "Open for", isNumber: true, dropOrder: 17), 11),
            (.exchanges, Column(title: "Exchanges", isNumber: true, dropOrder: 11), 3),
            (.way, Column(title: "", isKey: true), 4),
            (.payload, Column(title: "Payload", isNumber: true), digits(\.payload)),
            (.messages, Column(title: "Messages", isNumber: true), digits(\.messages)),
            // One more for a tilde before the number.
            isAdorned ? (.tls, Column(title: "TLS", isNumber: true), digits(\.tls) + 1) : nil,
            hasFrames ? (.http2, Column(title: "HTTP/2", isNumber: true), digits(\.http2)) : nil,
        ]
        let rare: [(name: Name, column: Column, width: Int)?] = ConnectionPart.rare.filter {
            hasAll || sums.up.rare[$0] != nil || sums.down.rare[$0] != nil
        }.map { part in
            (.rare(part), Column(title: part.title, isNumber: true), digits { $0.rare[part] ?? 0 })
        }
        let rest: [(name: Name, column: Column, width: Int)?] = [
            (.unaccounted, Column(title: "Unaccounted", isNumber: true), sums.unaccountedWidth),
            (.packets, Column(title: "With IP ≈", isNumber: true, dropOrder: 13), digits(\.packets.bytes)),
            (.segments, Column(title: "Segments", isNumber: true, dropOrder: 14), digits(\.segments)),
            (.resent, Column(title: "Sent again", isNumber: true, dropOrder: 15), 9),
            (.roundTrip, Column(title: "Round trip", isNumber: true, dropOrder: 16), 9),
        ]
        let shown = (all + rare + rest).compactMap(\.self)
        names = shown.map(\.name)
        columns = shown.map(\.column)
        layout = TableLayout(
            columns, naturalWidths: shown.map(\.width), fitting: style.width, choosing: style.columns)
        self.sums = sums
        self.style = style
    }

    /// The names of all columns that such a table can have, for the option that chooses among them.
    package static var columnNames: [String] {
        TableLayout.choices(of: LedgerTable(LedgerSums(), TextStyle(columns: [])).columns)
    }

    /// The row of titles, with its line end.
    package var header: String { style.bold(layout.header) + "\n" }

    /// The two lines of a connection, with their line ends.
    package func lines(_ connection: StoredConnection, otherEnd: OtherEnd? = nil) -> String {
        let ledger = connection.ledger
        let load = connection.load
        let isReconstructed = ledger?.evidence == .reconstructed
        func number(_ number: Int64?) -> String { number.map(Units.count) ?? "?" }
        func cells(_ side: ConnectionLedger.Side?, _ flow: KeyPath<ByteFlow, ByteCount>) -> [Name: String] {
            var cells: [Name: String] = [
                .payload: number(side?.payload), .messages: Units.count(load.messages[keyPath: flow].bytes),
                .tls: connection.tls == nil ? "0" : (isReconstructed ? "~" : "") + number(side?.tls),
                .http2: Units.count(load.http2Control[keyPath: flow].bytes), .unaccounted: number(side?.unaccounted),
                .packets: number(connection.packets?[keyPath: flow].bytes),
            ]
            for part in ConnectionPart.rare {
                cells[.rare(part)] = Units.count((load.parts[part] ?? .zero)[keyPath: flow].bytes)
            }
            return cells
        }
        var up = cells(ledger?.up, \.up)
        up[.way] = "up"
        up[.connection] = connection.id.description
        up[.peer] = TerminalText.escaped(connection.remoteAddress)
        up[.proto] = connection.protocolText
        up[.network] = connection.network.map { TerminalText.escaped($0.name) } ?? "?"
        up[.opened] = connection.openedAt.timeOfDay(in: style.zone)
        up[.life] =
            connection.closedAt.map {
                Units.duration($0.nanoseconds &- connection.openedAt.nanoseconds)
            } ?? "still open"
        up[.exchanges] = Units.count(load.exchanges)
        up[.segments] = number(connection.segmentsUp)
        up[.resent] = connection.retransmitted.map { Units.bytes($0) } ?? "?"
        up[.roundTrip] = connection.roundTrip.map { Units.duration($0) } ?? "?"
        var down = cells(ledger?.down, \.down)
        down[.way] = "down"
        down[.segments] = number(connection.segmentsDown)
        let what = load.exchanges > 0 ? "What followed its messages was" : "Its messages were"
        return line(up, isOdd: (ledger?.up.unaccounted ?? 0) != 0)
            + line(down, isOdd: (ledger?.down.unaccounted ?? 0) != 0)
            + (connection.unseen.map { style.dim("  \(what) not seen: \(Self.reason($0)).") + "\n" } ?? "")
            + (connection.unseen == nil ? "" : handshakeLine(connection)) + (otherEnd.map(otherEndLine) ?? "")
    }

    private func otherEndLine(_ end: OtherEnd) -> String {
        let text = "  Other end: \(TerminalText.escaped(end.sentence))."
        return (end.isEqual ? style.dim(text) : style.red(text)) + "\n"
    }

    private func handshakeLine(_ connection: StoredConnection) -> String {
        let parts = [connection.handshake.map { "In the clear: \($0.sentence)" }, connection.opening?.sentence]
        let text = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
        return text.isEmpty ? "" : style.dim("  \(text).") + "\n"
    }

    private static func reason(_ unseen: UnseenTraffic) -> String {
        let host = unseen.serverName.isEmpty ? "" : " (to \(TerminalText.escaped(unseen.serverName)))"
        return TerminalText.escaped(unseen.reason.sentence) + host
    }

    /// A rule, the sums of all connections, and notes.
    ///
    /// - Parameter hidden: the number of connections without lines.
    /// - Returns: the lines, with their line ends.
    package func footer(hidden: Int64 = 0) -> String {
        func cells(_ side: LedgerSums.Side) -> [Name: String] {
            var cells: [Name: String] = [
                .payload: Units.count(side.payload), .messages: Units.count(side.messages),
                .tls: (sums.reconstructed > 0 ? "~" : "") + Units.count(side.tls), .http2: Units.count(side.http2),
                .unaccounted: Units.count(side.unaccounted), .packets: Units.count(side.packets.bytes),
                .segments: Units.count(side.segments),
            ]
            for part in ConnectionPart.rare { cells[.rare(part)] = Units.count(side.rare[part] ?? 0) }
            return cells
        }
        var up = cells(sums.up)
        up[.way] = "up"
        up[.connection] = "Total"
        up[.peer] = Self.count(sums.connections)
        up[.exchanges] = Units.count(sums.exchanges)
        up[.resent] = Units.bytes(ByteCount(sums.retransmitted))
        var down = cells(sums.down)
        down[.way] = "down"
        let more = hidden > 0 ? style.dim("and \(Units.count(hidden)) more") + "\n" : ""
        return more + style.dim(layout.rule) + "\n" + style.bold(line(up, isOdd: false))
            + style.bold(line(down, isOdd: false))
            + style.hiddenNote(layout.hidden)
            + notes.flatMap { TerminalText.wrapped($0, to: style.width) }.map { $0 + "\n" }.joined()
    }

    private func line(_ cells: [Name: String], isOdd: Bool) -> String {
        layout.line(names.map { cells[$0] ?? "" }) { index, cell in
            isOdd && names[index] == .unaccounted ? style.red(cell) : cell
        } + "\n"
    }

    private static func count(_ connections: Int64) -> String {
        "\(Units.count(connections)) connection\(connections == 1 ? "" : "s")"
    }

    private var notes: [String] {
        var notes: [String] = []
        // If TLS is computed as the rest, the ledger always adds up, so it proves nothing.
        let checked = sums.connections - sums.unknown - sums.reconstructed
        if sums.unclosed > 0 {
            notes.append(
                "\(Self.count(sums.unclosed)) of \(Units.count(sums.connections)) "
                    + "\(sums.unclosed == 1 ? "does" : "do") not add up; '--unaccounted' shows them.")
        } else if checked > 0 {
            let which = checked == sums.connections ? "" : " on \(Self.count(checked))"
            notes.append("Messages and protocols account for every byte that the kernel counted\(which).")
        }
        let packets = sums.up.packets + sums.down.packets
        if packets > 0 {
            notes.append("Estimated total with TCP/IP headers: \(Units.bytes(packets)) (segments times headers).")
        }
        if sums.reconstructed > 0, names.contains(.tls) {
            notes.append(
                "~ marks TLS computed as all that is not a message, because the bytes inside TLS could not be counted "
                    + "(\(Self.count(sums.reconstructed))).")
        }
        if sums.unknown > 0 {
            notes.append("The sums leave out \(Self.count(sums.unknown)), whose kernel count is not known.")
        }
        return notes
    }
}
