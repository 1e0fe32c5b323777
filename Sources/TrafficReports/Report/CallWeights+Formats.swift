package import TextFormats
package import TrafficModel

extension CallWeights {
    /// What single calls weigh as a JSON object, as in all machine formats: null where no call was weighed.
    package var json: JSONValue {
        .object(
            [.init("calls", .integer(count))]
                + named.map { way in
                    .init(way.name, .object(way.histogram.figures.map { .init($0.name, .count($0.bytes)) }))
                })
    }

    /// The same as columns of CSV: `perCallUpP50` and so on.
    var csvColumns: [(name: String, cell: String)] {
        [("perCallCalls", String(count))]
            + named.flatMap { way in
                way.histogram.figures.map { figure in
                    (
                        "perCall\(way.name.capitalizedFirst)\(figure.name.capitalizedFirst)",
                        figure.bytes?.description ?? ""
                    )
                }
            }
    }
}

extension ByteHistogram {
    /// The median, the 95th percentile and the largest number, under their names in machine formats.
    package var figures: [(name: String, bytes: ByteCount?)] {
        [("p50", percentile(0.5)), ("p95", percentile(0.95)), ("max", max)]
    }
}

extension JSONValue {
    fileprivate static func count(_ bytes: ByteCount?) -> JSONValue { bytes.map { .integer($0.bytes) } ?? .null }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
