import ClickHouse
import FleetTables
import TrafficModel

/// SQL that makes of a row of `exchange` what it adds to sums, under the names that ``FleetSums/estimates`` add up.
///
/// It counts what ``TrafficSums/add(_:)`` counts, so the engine and the store have the same sums of the same rows.
enum ExchangeFigures {
    /// The columns; they need ``bounds``, and `weight` beside them.
    static let columns = SQLText(
        ownWords: list.map { "\($0.sql) AS \(FleetSums.one($0.name))" }.joined(separator: ", "))

    /// The start of the query: the least number of each bucket and of those above it, for durations and for bytes.
    ///
    /// The engine's logarithm could put a number into the bucket beside its own; these decide.
    static let bounds: SQLText = {
        let arrays = [durations, sizes].map { "[\($0.least.map(String.init).joined(separator: ","))] AS \($0.name)" }
        return SQLText(ownWords: "WITH \(arrays.joined(separator: ", "))")
    }()

    /// How many exchanges a row stands for; what no sender can mean counts as 1.
    static let weight: SQLText = "if(weight >= 1 AND weight < 1e9, weight, toFloat64(1)) AS one_weight"

    // MARK: Buckets

    /// Buckets of whole numbers from 1 on.
    struct Buckets: Sendable {
        let name: String
        /// The bucket of 1.
        let first: Int
        /// The least number of each bucket and of those above it, from the first on.
        let least: [Int64]
        /// The logarithm to the base 2 of the numbers in one unit of the histogram: of the microseconds in a second.
        let unit: Double

        /// Larger numbers are in the bucket of this one.
        static let largest: Int64 = 1 << 48 - 1

        init(_ name: String, unit: Double, _ bucket: (Int64) -> Int) {
            self.name = name
            self.unit = unit
            first = bucket(1)
            var least: [Int64] = []
            var start: Int64 = 1
            while start <= Self.largest {
                let own = bucket(start)
                least += repeatElement(start, count: own - first + 1 - least.count)
                // The bucket's end is below twice its start, and is found by halving.
                var (inside, outside) = (start, 2 * start)
                while outside - inside > 1 {
                    let middle = inside + (outside - inside) / 2
                    if bucket(middle) == own { inside = middle } else { outside = middle }
                }
                start = outside
            }
            self.least = least + [start, start]
        }

        /// Columns with the bucket of a number that is above 0; the logarithm is off by one bucket at most.
        func columns(_ column: String, of number: String) -> [(String, String)] {
            let (value, guess) = (FleetSums.one("\(column)_value"), FleetSums.one("\(column)_guess"))
            let index = "\(guess) - \(first)"
            return [
                ("\(column)_value", "greatest(least(\(number), \(Self.largest)), 1)"),
                ("\(column)_guess", "toInt32(floor(32 * (log2(\(value)) - \(unit))))"),
                (
                    "\(column)_index",
                    "toInt16(\(guess) - 1 + (\(value) >= \(name)[\(index) + 1]) + (\(value) >= \(name)[\(index) + 2]))"
                ),
            ]
        }
    }

    /// The buckets of durations in microseconds.
    static let durations = Buckets("least_us", unit: 19.931_568_569_324_174) {
        LatencyHistogram.bucket(seconds: Double($0 * 1_000) * 1e-9)
    }

    /// The buckets of sizes in bytes, without that of 0.
    static let sizes = Buckets("least_bytes", unit: 0) { ByteHistogram.bucket($0) }

    // MARK: Columns

    private static let isAnswer = "answered = 1 AND (status > 0 OR response_version = '0.9')"
    /// The meter did not see the end: the outcome is abandoned or incomplete.
    private static let isSeen = "outcome < 4"
    private static let isIncomplete = "outcome = 5"
    private static let duration = "greatest(ifNull(duration_us, ended_us - started_us), 0)"
    private static let hasDuration = "(isNotNull(duration_us) OR \(isSeen))"
    private static let phases = ["queue", "dns", "connect", "tls", "send", "wait", "receive"]
    private static let attributed = phases.map { "greatest(ifNull(\($0)_us, 0), 0)" }.joined(separator: " + ")
    private static let unattributed = "\(duration) - least(\(duration), \(attributed))"
    private static let isCoded = """
        answered = 1 AND coding != '' AND response_body > 0
            AND bitAnd(response_evidence, 3) != 3 AND bitAnd(response_evidence, 3072) != 3072
        """

    private static let list: [(name: String, sql: String)] =
        [
            ("requests", "toInt64(1)"), ("responses", flag(isAnswer)), ("failures", "toInt64(failed)"),
            ("incomplete", flag(isIncomplete)),
            ("incomplete_unanswered", flag("\(isIncomplete) AND NOT (\(isAnswer))")),
            ("not_modified", flag("answered = 1 AND status = 304")),
            ("new_connections", flag("isNotNull(connection) AND reused = 0")),
            ("reused_connections", flag("isNotNull(connection) AND reused = 1")),
            ("encoded_body", "if(\(isCoded), response_body, toInt64(0))"),
            ("decoded_body", "if(\(isCoded), decoded_body, toInt64(0))"),
        ] + message("up", of: "request", if: "1") + message("down", of: "response", if: "answered = 1")
        + [("sharing", "toInt64(shared)")]
        + ["overhead_up", "overhead_down", "packet_headers_up", "packet_headers_down"].map {
            ($0, "if(shared = 1, \($0), toInt64(0))")
        } + [("first_us", "started_us"), ("last_us", "started_us")]
        + latency("latency", duration, if: hasDuration)
        + phases.flatMap { latency($0, "ifNull(\($0)_us, 0)", if: "isNotNull(\($0)_us)") }
        + latency("unattributed", unattributed, if: "\(hasDuration) AND \(unattributed) > 0")
        + weight("up", total("request")) + weight("down", answeredTotal)
        + weight("total", "\(total("request")) + \(answeredTotal)")

    private static func flag(_ condition: String) -> String { "toInt64(\(condition))" }

    // The parts that add up to a message, with the bits of their evidence.
    private static let parts = [
        ("start_line", 2), ("fields", 4), ("interim", 8), ("body", 10), ("framing", 12),
    ]

    private static func total(_ message: String) -> String {
        parts.map { "\(message)_\($0.0)" }.joined(separator: " + ")
    }

    private static let answeredTotal = "if(answered = 1, \(total("response")), toInt64(0))"

    private static func message(_ way: String, of message: String, if condition: String) -> [(String, String)] {
        func counted(_ sql: String) -> String { "if(\(condition), \(sql), toInt64(0))" }
        let captured = parts.map { part, bits in
            "if(bitAnd(\(message)_evidence, \(3 << bits)) = 0, \(message)_\(part), toInt64(0))"
        }
        let unknown = parts.map { "bitAnd(\(message)_evidence, \(3 << $0.1)) = \(3 << $0.1)" }
        return ["start_line", "fields", "cookies", "interim", "body", "framing"].map {
            ("\(way)_\($0)", counted("\(message)_\($0)"))
        } + [
            ("\(way)_captured", counted(captured.joined(separator: " + "))),
            ("\(way)_unknown", flag("\(condition) AND (\(unknown.joined(separator: " OR ")))")),
        ]
    }

    private static func latency(_ name: String, _ us: String, if condition: String) -> [(String, String)] {
        durations.columns(name, of: us)
            + buckets(name, FleetSums.one("\(name)_index"), if: "\(condition) AND \(us) > 0")
            + [("\(name)_zero", flag("\(condition) AND \(us) <= 0"))]
    }

    private static func weight(_ way: String, _ bytes: String) -> [(String, String)] {
        let name = "weight_\(way)"
        let call = "\(isSeen) AND \(total("request")) + \(answeredTotal) > 0"
        let bucket = "if(\(bytes) > 0, \(FleetSums.one("\(name)_index")), toInt16(\(ByteHistogram.bucketOfZero)))"
        return sizes.columns(name, of: bytes) + buckets(name, bucket, if: call)
            + [("\(name)_least", bytes), ("\(name)_largest", bytes)]
    }

    private static func buckets(_ name: String, _ bucket: String, if condition: String) -> [(String, String)] {
        [
            ("\(name)_bucket", "if(\(condition), [\(bucket)], emptyArrayInt16())"),
            ("\(name)_count", "if(\(condition), [one_weight], emptyArrayFloat64())"),
        ]
    }
}
