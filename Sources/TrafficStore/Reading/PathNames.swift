import Foundation
import GRDB
internal import TrafficModel

/// The names of paths, row by row: method, authority and path in one buffer, to be hashed and compared without texts.
final class PathNames {
    private final class Route {
        let id: Int64
        let method: String
        let authority: String
        let isCounted: Bool
        /// Where the path begins in a name.
        let prefixLength: Int
        /// The name of the path that is the template.
        let common: [UInt8]
        /// How the names begin of paths of which rows have only the rest.
        let start: [UInt8]

        init(_ id: Int64, _ route: ReadConnection.Route, _ authority: String, isCounted: Bool) {
            self.id = id
            method = route.method
            self.authority = authority
            self.isCounted = isCounted
            let prefix = Array("\(method) \(authority) ".utf8)
            prefixLength = prefix.count
            common = prefix + route.commonPath.utf8
            start = prefix + route.pathStart.utf8
        }
    }

    // As many as the cache of the connection keeps.
    private static let places = 4_096

    private let database: Database
    private let connection: ReadConnection
    private let direction: TrafficDirection
    private let naming: (String) -> String
    // Each at the place of the lowest bits of its number.
    @exclusivity(unchecked) private var routes = [Route?](repeating: nil, count: places)
    @exclusivity(unchecked) private var route: Route?
    private let name = ByteSink()

    /// - Parameters:
    ///   - database: the connection's database.
    ///   - connection: the connection.
    ///   - direction: which exchanges have names.
    ///   - naming: the name under which an authority counts.
    init(
        _ database: Database, _ connection: ReadConnection, _ direction: TrafficDirection,
        _ naming: @escaping (String) -> String
    ) {
        self.database = database
        self.connection = connection
        self.direction = direction
        self.naming = naming
    }

    /// Reads the name of a row that begins with ``PathRow/ofName``.
    ///
    /// - Returns: its hash; nil if the row is of the other direction.
    /// - Throws: the error of SQLite.
    func read(_ row: some ColumnReading) throws -> UInt64? {
        let id = row.int(0)
        let place = Int(truncatingIfNeeded: id) & (Self.places - 1)
        let route: Route
        if let known = routes[place], known.id == id {
            route = known
        } else {
            let read = try connection.route(id, database)
            route = Route(id, read, naming(read.authority), isCounted: read.direction == direction)
            routes[place] = route
        }
        guard route.isCounted else { return nil }
        self.route = route
        name.cut(to: 0)
        if !row.isNull(2) {
            append(route.start[...])
            name.append(row.bytes(2))
        } else if !row.isNull(1) {
            append(route.start[..<route.prefixLength])
            name.append(row.bytes(1))
        } else {
            append(route.common[...])
        }
        return BlobDictionary.hash(UnsafeRawBufferPointer(start: name.start, count: name.count))
    }

    @inline(__always)
    private func append(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { name.append($0) } }

    /// The name of the row that was read last.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: name.start, count: name.count)) }

    /// Whether the row that was read last has that name.
    func isLast(_ bytes: [UInt8]) -> Bool {
        bytes.count == name.count && memcmp(bytes, name.start, bytes.count) == 0
    }

    /// The key of the row that was read last.
    var key: TrafficTotal.Key {
        let path = bytes.dropFirst(route?.prefixLength ?? 0)
        return TrafficTotal.Key(
            method: route?.method, host: route?.authority, path: String(decoding: path, as: UTF8.self),
            direction: direction)
    }

    /// By host, path and method, as reports sort by name.
    var ordered: [String] { [key.host ?? "", key.path ?? "", key.method ?? ""] }
}
