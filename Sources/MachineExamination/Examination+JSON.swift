internal import Diagnosis
internal import TextFormats
internal import TrafficModel

extension Examination {
    /// The findings as one JSON object; docs/doctor.md lists its members.
    package var json: String {
        JSONValue.object([
            .init("passed", .bool(isPassed)),
            .init("wireweight", .string(version)),
            .init(
                "system",
                .object([
                    .init("kernel", .string(machine.kernel)), .init("processor", .string(machine.processor)),
                    .init("libc", .optional(machine.libc)),
                ])),
            .init(
                "tap",
                .object([.init("path", .optional(machine.tap)), .init("problem", .optional(machine.tapProblem))])),
            .init("libcurl", .array(machine.libcurls.map(\.jsonValue))),
            .init(
                "tshark",
                machine.tshark.map {
                    .object([.init("path", .string($0.path)), .init("version", .string($0.version))])
                } ?? .null),
            .init(
                "styles",
                .array(inside.map { $0.jsonValue(meter: "monitor") } + outside.map { $0.jsonValue(meter: "run") })
            ),
            .init("capabilities", .array(capabilities.map(\.jsonValue))),
            .init("program", program?.jsonValue ?? .null),
        ]).pretty + "\n"
    }
}

extension JSONValue {
    fileprivate static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension SelfTest.Libcurl {
    fileprivate var jsonValue: JSONValue {
        .object([
            .init("name", .string(name)), .init("path", .string(path)), .init("version", .string(version)),
            .init("tls", .optional(tls)), .init("nghttp2", .optional(nghttp2)), .init("quic", .optional(quic)),
            .init("known", .bool(isKnown)), .init("showsFrames", .bool(showsFrames)),
            .init("showsPlaintext", .bool(showsPlaintext)),
        ])
    }
}

extension SelfTest.Count {
    fileprivate var jsonValue: JSONValue {
        .object([
            .init("exchanges", .integer(Int64(exchanges))), .init("up", .integer(up.bytes)),
            .init("down", .integer(down.bytes)),
        ])
    }
}

extension SelfTest.Check {
    fileprivate func jsonValue(meter: String) -> JSONValue {
        .object([
            .init("style", .string(style.rawValue)), .init("meter", .string(meter)),
            .init("expected", expected?.jsonValue ?? .null), .init("metered", metered?.jsonValue ?? .null),
            .init(
                "difference",
                difference.map { .object([.init("up", .integer($0.up)), .init("down", .integer($0.down))]) } ?? .null),
            .init("verdict", .string(verdict.name)), .init("reason", .optional(verdict.reason)),
        ])
    }
}

extension SelfTest.Capability {
    fileprivate var jsonValue: JSONValue {
        .object([
            .init("subject", .string(subject)), .init("level", .string(level.rawValue)),
            .init("explanation", .string(explanation)), .init("advice", .optional(advice)),
        ])
    }
}

extension ProgramDiagnosis {
    fileprivate var jsonValue: JSONValue {
        .object([
            .init("path", .string(path)), .init("interpreters", .array(interpreters.map { .string($0) })),
            .init("verdict", .string(verdict.rawValue)), .init("metering", .optional(metering?.rawValue)),
            .init("reason", .string(reason)), .init("libcurl", .optional(libcurl)), .init("advice", .optional(advice)),
        ])
    }
}
