internal import ASCIIBytes
import GRDB
internal import TrafficModel

/// What the URLs of a route have in common.
final class RouteURL {
    private let origin: [UInt8]
    private let template: [UInt8]
    private let start: [UInt8]

    init(_ route: ReadConnection.Route) {
        origin = route.host.isEmpty ? [] : Array("\(route.scheme)://\(route.authority)".utf8)
        template = origin + route.commonPath.utf8
        start = origin + route.pathStart.utf8
    }

    /// Writes the URL of a row, the same as ``RequestRecord/url``.
    func write(
        _ row: SearchRow, to url: inout [UInt8], _ database: Database, _ connection: ReadConnection
    ) throws {
        url.removeAll(keepingCapacity: true)
        let path = row.pathBytes
        if let own = path.own {
            url += origin
            url += own
        } else if let rest = path.rest {
            url += start
            url += rest
        } else {
            url += template
        }
        // Targets that are no paths are rare.
        guard origin.isEmpty || url.count == origin.count || url[origin.count] == UInt8(ascii: "/") else {
            url = Array(try connection.request(row.id, database).url.utf8)
            return
        }
        let query = row.query
        if let id = query.id {
            url.append(UInt8(ascii: "?"))
            url += try connection.query(id, database).utf8
        } else if let bytes = query.bytes {
            url.append(UInt8(ascii: "?"))
            url += bytes
        }
    }

    /// Whether a URL may have percent-encoding.
    static func isEncoded(_ url: [UInt8]) -> Bool {
        url.withUnsafeBufferPointer { ASCII.firstIndex(of: UInt8(ascii: "%"), from: 0, in: $0) != nil }
    }

    /// The URL without percent-encoding.
    static func decoded(_ url: [UInt8]) -> [UInt8] { ASCII.percentDecoded(url[...]) }
}
