import TextFormats

/// A message of OpenTelemetry's protocol: what a collector takes as one request.
struct OTLPMessage {
    /// The content, as OTLP's JSON has it.
    let value: JSONValue
    private let fields: Protobuf.Message

    /// An `ExportMetricsServiceRequest` of these elements of `resourceMetrics`.
    static func metrics(_ resources: [JSONValue]) -> OTLPMessage {
        OTLPMessage(value: .object([.init("resourceMetrics", .array(resources))]), fields: metricsRequest)
    }

    /// An `ExportTraceServiceRequest` of these elements of `resourceSpans`.
    static func spans(_ resources: [JSONValue]) -> OTLPMessage {
        OTLPMessage(value: .object([.init("resourceSpans", .array(resources))]), fields: traceRequest)
    }

    /// The message as one line of JSON.
    var line: [UInt8] { value.compactBytes + [0x0A] }

    /// The message in Protocol Buffers.
    var bytes: [UInt8] { Protobuf.encoded(value, as: fields) }

    /// The same with its length before it as four bytes, the highest first, as the file exporter
    /// of OpenTelemetry's collector writes messages.
    var framed: [UInt8] {
        let bytes = bytes
        return withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }

    // MARK: The fields, of opentelemetry-proto 1

    private typealias Field = Protobuf.Field

    private static let attributes = Protobuf.Kind.message([
        "key": Field(number: 1, kind: .string),
        "value": Field(
            number: 2,
            kind: .message([
                // One of these is always there.
                "stringValue": Field(number: 1, kind: .string, hasPresence: true),
                "boolValue": Field(number: 2, kind: .varint, hasPresence: true),
                "intValue": Field(number: 3, kind: .varint, hasPresence: true),
                "doubleValue": Field(number: 4, kind: .double, hasPresence: true),
            ])),
    ])

    private static let resource = Field(
        number: 1, kind: .message(["attributes": Field(number: 1, kind: attributes)]))

    private static let scope = Field(
        number: 1,
        kind: .message(["name": Field(number: 1, kind: .string), "version": Field(number: 2, kind: .string)]))

    private static let traceRequest: Protobuf.Message = [
        "resourceSpans": Field(
            number: 1,
            kind: .message([
                "resource": resource,
                "scopeSpans": Field(
                    number: 2, kind: .message(["scope": scope, "spans": Field(number: 2, kind: .message(span))])),
            ]))
    ]

    private static let span: Protobuf.Message = [
        "traceId": Field(number: 1, kind: .bytes), "spanId": Field(number: 2, kind: .bytes),
        "name": Field(number: 5, kind: .string), "kind": Field(number: 6, kind: .varint),
        "startTimeUnixNano": Field(number: 7, kind: .fixed64), "endTimeUnixNano": Field(number: 8, kind: .fixed64),
        "attributes": Field(number: 9, kind: attributes),
        "events": Field(
            number: 11,
            kind: .message([
                "timeUnixNano": Field(number: 1, kind: .fixed64), "name": Field(number: 2, kind: .string),
            ])),
        "status": Field(
            number: 15,
            kind: .message(["message": Field(number: 2, kind: .string), "code": Field(number: 3, kind: .varint)])),
    ]

    private static let metricsRequest: Protobuf.Message = [
        "resourceMetrics": Field(
            number: 1,
            kind: .message([
                "resource": resource,
                "scopeMetrics": Field(
                    number: 2, kind: .message(["scope": scope, "metrics": Field(number: 2, kind: .message(metric))])),
            ]))
    ]

    private static let metric: Protobuf.Message = [
        "name": Field(number: 1, kind: .string), "description": Field(number: 2, kind: .string),
        "unit": Field(number: 3, kind: .string),
        "sum": Field(
            number: 7,
            kind: .message(
                data([
                    "attributes": Field(number: 7, kind: attributes),
                    "asInt": Field(number: 6, kind: .fixed64, hasPresence: true),
                ]))),
        "histogram": Field(
            number: 9,
            kind: .message(
                data([
                    "attributes": Field(number: 9, kind: attributes), "count": Field(number: 4, kind: .fixed64),
                    "sum": Field(number: 5, kind: .double, hasPresence: true),
                ]))),
        "exponentialHistogram": Field(
            number: 10,
            kind: .message(
                data([
                    "attributes": Field(number: 1, kind: attributes), "count": Field(number: 4, kind: .fixed64),
                    "scale": Field(number: 6, kind: .zigzag), "zeroCount": Field(number: 7, kind: .fixed64),
                    "positive": Field(
                        number: 8,
                        kind: .message([
                            "offset": Field(number: 1, kind: .zigzag),
                            "bucketCounts": Field(number: 2, kind: .packedVarints),
                        ])),
                ]))),
    ]

    /// What the data of all kinds of metrics have, with points of these fields.
    private static func data(_ point: Protobuf.Message) -> Protobuf.Message {
        let times: Protobuf.Message = [
            "startTimeUnixNano": Field(number: 2, kind: .fixed64), "timeUnixNano": Field(number: 3, kind: .fixed64),
        ]
        return [
            "dataPoints": Field(number: 1, kind: .message(point.merging(times) { $1 })),
            "aggregationTemporality": Field(number: 2, kind: .varint), "isMonotonic": Field(number: 3, kind: .varint),
        ]
    }
}
