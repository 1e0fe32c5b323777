/// How columns of sums are added up over many rows; the values have the form of the columns.
package struct Aggregate: Sendable {
    /// The expressions over rows of sums, one for each column.
    let ofSums: [String]
    /// The same with the counts of buckets as they are in each row, so that a bucket comes again and again.
    let withRowsBuckets: String
    /// The same without the counts of buckets, which are added up apart from the rest: see ``FleetSums/histograms``.
    let withoutBuckets: String
    /// The expression over single exchanges, each of which stands for several: see ``FleetSums/estimates``.
    let ofExchanges: String

    /// The sum of a column.
    static func sum(_ name: String) -> Aggregate {
        // What strangers send may be more than the type holds.
        Aggregate(
            ofSums: ["sum(\(name))"], withRowsBuckets: "sum(\(name))", withoutBuckets: "sum(\(name))",
            ofExchanges: "toInt64(least(round(sum(one_weight * \(FleetSums.one(name)))), 9e15))")
    }

    /// The least or the largest value, by `min` or `max`, or by one of these with a condition.
    static func extreme(_ expression: (_ name: (String) -> String) -> String) -> Aggregate {
        let ofSums = expression { $0 }
        return Aggregate(
            ofSums: [ofSums], withRowsBuckets: ofSums, withoutBuckets: ofSums, ofExchanges: expression(FleetSums.one))
    }

    /// The counts of each bucket.
    ///
    /// `sumMap` yields a pair of arrays, as the two columns are. Where counts are added up apart, the arrays are `rest`.
    static func buckets(_ name: String, rest: String) -> Aggregate {
        let (bucket, count) = ("\(name)_bucket", counts(name))
        let all = "sumMap(\(bucket), \(count))"
        let one = "sumMap(\(FleetSums.one(name + "_bucket")), \(FleetSums.one(name + "_count")))"
        return Aggregate(
            ofSums: [1, 2].map { "tupleElement(\(all), \($0))" },
            withRowsBuckets: "groupArrayArray(\(bucket)), groupArrayArray(\(count))", withoutBuckets: rest,
            ofExchanges: "tupleElement(\(one), 1), "
                + "arrayMap(count -> toInt64(least(round(count), 9e15)), tupleElement(\(one), 2))")
    }

    /// The counts of a histogram's buckets, as many as there are buckets: ClickHouse refuses to add up others, which
    /// strangers may send.
    package static func counts(_ name: String) -> String { "arrayResize(\(name)_count, length(\(name)_bucket))" }
}
