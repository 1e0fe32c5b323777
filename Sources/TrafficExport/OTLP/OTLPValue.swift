import TrafficModel
import TrafficReports

/// Values as OTLP's JSON wants them: 64-bit integers as strings, enumerations as numbers.
enum OTLPValue {
    /// An integer of 64 bits.
    static func integer(_ value: Int64) -> JSONValue { .string(String(value)) }

    /// Nanoseconds since the epoch; 0 stands for none.
    static func moment(_ moment: Timestamp?) -> JSONValue { integer(max(0, moment?.nanoseconds ?? 0)) }

    /// An attribute with a text.
    static func attribute(_ name: String, _ value: String) -> JSONValue {
        attribute(name, "stringValue", .string(value))
    }

    /// An attribute with an integer.
    static func attribute(_ name: String, _ value: Int64) -> JSONValue { attribute(name, "intValue", integer(value)) }

    /// An attribute with a truth value.
    static func attribute(_ name: String, _ value: Bool) -> JSONValue { attribute(name, "boolValue", .bool(value)) }

    /// An attribute with seconds.
    static func seconds(_ name: String, nanoseconds: Int64) -> JSONValue {
        attribute(name, "doubleValue", .number(String(Double(nanoseconds) / 1e9)))
    }

    private static func attribute(_ name: String, _ kind: String, _ value: JSONValue) -> JSONValue {
        .object([.init("key", .string(name)), .init("value", .object([.init(kind, value)]))])
    }

    /// Who speaks.
    static let scope = JSONValue.object([
        .init("name", .string(Producer.name)), .init("version", .string(Producer.version)),
    ])

    /// What it is about.
    static func resource(_ attributes: [JSONValue]) -> JSONValue { .object([.init("attributes", .array(attributes))]) }
}
