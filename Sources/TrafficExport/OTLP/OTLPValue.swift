import TextFormats
import TrafficModel

/// Values in OTLP's JSON encoding: 64-bit integers are strings, enumerations are numbers.
enum OTLPValue {
    /// A 64-bit integer, as a string.
    static func integer(_ value: Int64) -> JSONValue { .string(String(value)) }

    /// Nanoseconds since 1970, as a string; 0 if there is no moment.
    static func moment(_ moment: Timestamp?) -> JSONValue { integer(max(0, moment?.nanoseconds ?? 0)) }

    /// An attribute with a text value.
    static func attribute(_ name: String, _ value: String) -> JSONValue {
        attribute(name, "stringValue", .string(value))
    }

    /// An attribute with an integer value.
    static func attribute(_ name: String, _ value: Int64) -> JSONValue { attribute(name, "intValue", integer(value)) }

    /// An attribute with a Boolean value.
    static func attribute(_ name: String, _ value: Bool) -> JSONValue { attribute(name, "boolValue", .bool(value)) }

    /// An attribute with a duration, converted to seconds.
    static func seconds(_ name: String, nanoseconds: Int64) -> JSONValue {
        attribute(name, "doubleValue", .number(String(Double(nanoseconds) / 1e9)))
    }

    private static func attribute(_ name: String, _ kind: String, _ value: JSONValue) -> JSONValue {
        .object([.init("key", .string(name)), .init("value", .object([.init(kind, value)]))])
    }

    /// The instrumentation scope: Wireweight and its version.
    static let scope = JSONValue.object([
        .init("name", .string(Producer.name)), .init("version", .string(Producer.version)),
    ])

    /// The resource that the metrics or spans belong to.
    static func resource(_ attributes: [JSONValue]) -> JSONValue { .object([.init("attributes", .array(attributes))]) }
}
