package import TextFormats
package import TrafficModel

extension ConnectionOpening {
    /// The times in words; empty if none is known.
    var sentence: String {
        let parts = [("DNS", dns), ("connect", connect), ("first byte", firstByte)]
        return parts.compactMap { name, time in time.map { "\(name) \(Units.duration($0))" } }.joined(separator: ", ")
    }

    /// Milliseconds; null where a time is not known.
    package var json: JSONValue {
        .object([
            .init("dns", .milliseconds(dns)), .init("connect", .milliseconds(connect)),
            .init("firstByte", .milliseconds(firstByte)),
        ])
    }

    /// The names of ``cells(of:)``.
    static let columns = ["openingDnsMs", "openingConnectMs", "openingFirstByteMs"]

    /// The cells of CSV; empty where a time is not known.
    static func cells(of opening: ConnectionOpening?) -> [String] {
        [opening?.dns, opening?.connect, opening?.firstByte].map { time in
            time.map { JSONValue.milliseconds($0).compact } ?? ""
        }
    }
}
