import Testing
import TextFormats
import TrafficModel

@testable import TrafficExport

/// The wire format of Protocol Buffers; `make integration` compares whole exports with OpenTelemetry's own classes.
@Suite("Protocol Buffers") struct ProtobufTests {
    private typealias Field = Protobuf.Field

    private func bytes(_ value: JSONValue, _ number: UInt64, _ kind: Protobuf.Kind, isThere: Bool = false) -> [UInt8] {
        Protobuf.encoded(
            .object([.init("a", value)]), as: ["a": Field(number: number, kind: kind, hasPresence: isThere)])
    }

    // The examples of the format's specification, and the ends of each type.
    @Test("Each type has its bytes")
    func types() {
        #expect(bytes(.integer(150), 1, .varint) == [0x08, 0x96, 0x01])
        #expect(bytes(.integer(127), 1, .varint) == [0x08, 0x7F])
        #expect(bytes(.integer(128), 1, .varint) == [0x08, 0x80, 0x01])
        #expect(bytes(.string("-1"), 3, .varint) == [0x18] + [UInt8](repeating: 0xFF, count: 9) + [0x01])
        #expect(bytes(.bool(true), 3, .varint) == [0x18, 0x01])
        #expect(bytes(.string("testing"), 2, .string) == [0x12, 0x07] + Array("testing".utf8))
        #expect(bytes(.string("00ff1a"), 2, .bytes) == [0x12, 0x03, 0x00, 0xFF, 0x1A])
        let packed = JSONValue.array([.string("3"), .string("270"), .string("86942")])
        #expect(bytes(packed, 4, .packedVarints) == [0x22, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
        for (number, byte) in [(-1, 1), (1, 2), (-2, 3), (63, 126)] as [(Int64, UInt8)] {
            #expect(bytes(.integer(number), 1, .zigzag) == [0x08, byte])
        }
        #expect(bytes(.string("258"), 6, .fixed64) == [0x31, 2, 1, 0, 0, 0, 0, 0, 0])
        #expect(bytes(.number("-2.5"), 4, .double) == [0x21, 0, 0, 0, 0, 0, 0, 0x04, 0xC0])
        #expect(bytes(.integer(1), 300, .varint) == [0xE0, 0x12, 0x01])
        let inner = Protobuf.Kind.message(["b": Field(number: 1, kind: .varint)])
        let two = JSONValue.array([.object([.init("b", .integer(150))]), .object([])])
        #expect(bytes(two, 3, inner) == [0x1A, 0x03, 0x08, 0x96, 0x01, 0x1A, 0x00])
    }

    @Test("What is 0 or empty is left out, unless it differs from nothing")
    func presence() {
        for (value, kind) in [
            (.integer(0), .varint), (.bool(false), .varint), (.string("0"), .fixed64), (.integer(0), .zigzag),
            (.number("0.0"), .double), (.string(""), .string), (.array([]), .packedVarints),
        ] as [(JSONValue, Protobuf.Kind)] { #expect(bytes(value, 1, kind).isEmpty) }
        #expect(bytes(.string("0"), 3, .varint, isThere: true) == [0x18, 0x00])
        #expect(bytes(.string(""), 1, .string, isThere: true) == [0x0A, 0x00])
    }

    @Test("Fields are in the order of their numbers")
    func order() {
        let value = JSONValue.object([.init("b", .integer(1)), .init("a", .integer(2))])
        let fields = ["a": Field(number: 1, kind: .varint), "b": Field(number: 2, kind: .varint)]
        #expect(Protobuf.encoded(value, as: fields) == [0x08, 2, 0x10, 1])
    }

    @Test("A message is divided after any number of its elements, and each part has what is around them")
    func division() {
        func element(_ number: UInt8) -> [UInt8] { [0x12, 0x02, 0x08, number] }
        func group(_ name: UInt8, _ elements: [UInt8]) -> [UInt8] {
            let inner = [0x0A, 0x01, name] + elements.flatMap(element) + [0x19, 1, 2, 3, 4, 5, 6, 7, 8]
            return [0x0A, UInt8(inner.count)] + inner
        }
        let message = group(0x41, [1, 2, 3]) + [0x25, 9, 9, 9, 9] + group(0x42, []) + group(0x43, [4, 5])
        let expected: [Int: ([UInt8], [UInt8])] = [
            1: (
                group(0x41, [1]) + [0x25, 9, 9, 9, 9], group(0x41, [2, 3]) + [0x25, 9, 9, 9, 9] + group(0x43, [4, 5])
            ),
            3: (group(0x41, [1, 2, 3]) + [0x25, 9, 9, 9, 9], [0x25, 9, 9, 9, 9] + group(0x43, [4, 5])),
            4: (
                group(0x41, [1, 2, 3]) + [0x25, 9, 9, 9, 9] + group(0x43, [4]), [0x25, 9, 9, 9, 9] + group(0x43, [5])
            ),
        ]
        for (count, parts) in expected {
            let divided = ProtobufDivision.divided(message[...], at: [1, 2], after: count)
            #expect(divided?.first == parts.0 && divided?.second == parts.1)
        }
        #expect(ProtobufDivision.divided(message[...], at: [1, 2], after: 0) == nil)
        #expect(ProtobufDivision.divided(message[...], at: [1, 2], after: 5) == nil)
        // Whatever is cut off is not divided, unless what remains is whole.
        let ends = (0...message.count).filter {
            ProtobufDivision.divided(message[..<$0], at: [1, 2], after: 1) != nil
        }
        let first = group(0x41, [1, 2, 3]).count
        #expect(ends == [first, first + 5, first + 5 + group(0x42, []).count, message.count])
        let endless = [UInt8](repeating: 0xFF, count: 12)
        #expect(ProtobufDivision.divided(endless[...], at: [1], after: 1) == nil)
        #expect(ProtobufDivision.divided([0x0A] + endless[...], at: [1], after: 1) == nil)
    }

    @Test("An export has the messages of the JSON, each after its length")
    func export() throws {
        let store = try Store((1...600).flatMap { Sample.exchange($0) })
        for signal in TrafficExport.Signal.allCases {
            let lines = try store.export(.otlpJSON) { $0.signal = signal }.split(separator: "\n").count
            var rest = try store.exported(.otlpProtobuf) { $0.signal = signal }[...]
            var messages = 0
            while !rest.isEmpty {
                let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                try #require(rest.count >= 4 + size)
                // The first field of each request is its list of resources.
                #expect(rest.dropFirst(4).first == 0x0A)
                rest = rest.dropFirst(4 + size)
                messages += 1
            }
            #expect(messages == lines && messages > 0)
        }
    }
}
