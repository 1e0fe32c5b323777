internal import Foundation
internal import Locks
internal import TextFormats
internal import TrafficExport
internal import TrafficModel

/// Exports that the browser saves as files.
struct Saving: Sendable {
    let reading: any TrafficBrowsing
    let readers: Readers

    private static let types: [ExportFormat: String] = [
        .har: "application/json", .csv: "text/csv; charset=utf-8", .ndjson: "application/x-ndjson",
    ]

    /// One exchange as HAR.
    func har(of exchange: StoredExchange.ID) async throws -> Response {
        let content = try await readers.run {
            var export = TrafficExport(.har)
            export.exchange = exchange
            export.includesBodies = true
            var content: [UInt8] = []
            try export.write(of: reading) { content += $0 }
            return content
        }
        return Response(
            type: "application/json", content, fields: Self.attachment("exchange-\(exchange.rawValue).har"))
    }

    /// A report on all matching exchanges, as one HTML file.
    func page(_ request: Request, _ filter: ExchangeFilter, named name: String) async throws -> Response {
        // What the clock of the person shows, east of UTC.
        let minutes = try request.number("zone", in: -1_440...1_440) ?? 0
        let zone = ClockZone(offset: minutes * 60, name: minutes == 0 ? "UTC" : "local time")
        let text = try await readers.run { try SavedPage(of: reading, filter, name: name, in: zone).html() }
        return Response(
            type: "text/html; charset=utf-8", Array(text.utf8), fields: Self.attachment("traffic.html"))
    }

    /// The store itself, as one file of SQLite: a copy of the moment, which is gone from the disk before it is sent.
    func store() async throws -> Response {
        guard let source = reading as? any TrafficCopying else {
            throw Refusal(status: 409, code: "noFile", phrase: .notAFile)
        }
        let file = try await readers.alone {
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("wireweight-\(UUID().uuidString).db")
            defer { try? FileManager.default.removeItem(at: path) }
            try source.copy(to: path.path)
            return try FileHandle(forReadingFrom: path)
        }
        return Response(type: "application/vnd.sqlite3", fields: Self.attachment("traffic.db")) {
            let piece = try file.read(upToCount: Self.pieceSize) ?? Data()
            return piece.isEmpty ? nil : [UInt8](piece)
        }
    }

    private static let pieceSize = 1 << 18

    /// All matching exchanges, sent as they are read: memory holds only what the browser has not taken yet.
    func export(_ request: Request, _ filter: ExchangeFilter) throws -> Response {
        guard let format = ExportFormat(rawValue: request.item("format") ?? ""), let type = Self.types[format] else {
            throw Refusal.wrong(.format)
        }
        var export = TrafficExport(format)
        export.filter = filter
        // A few that were chosen come whole, as one does.
        export.includesBodies = request.item("exchanges") != nil
        let pieces = Pieces()
        readers.begin { [export, reading] in
            do {
                try export.write(of: reading) { try pieces.put($0) }
                pieces.end(nil)
            } catch {
                pieces.end(error)
            }
        }
        let reader = PieceReader(pieces)
        return Response(type: type, fields: Self.attachment("traffic.\(format.rawValue)")) { try await reader.next() }
    }

    private static func attachment(_ name: String) -> [(name: String, value: String)] {
        [("Content-Disposition", "attachment; filename=\"\(name)\""), ("Cache-Control", "no-store")]
    }
}

/// The browser's end of an export; when the browser gives up, this stops the export.
private final class PieceReader: Sendable {
    private let pieces: Pieces

    init(_ pieces: Pieces) { self.pieces = pieces }

    deinit { pieces.giveUp() }

    func next() async throws -> [UInt8]? { try await pieces.next() }
}
