/// What a server of TLS sends first (RFC 8446, section 4.1.3; RFC 5246, section 7.4), whole, split and broken.
enum AnswerBytes {
    /// The inputs that fuzzing starts with.
    static var seeds: [[UInt8]] {
        let newest = hello(versions: [3, 4], key: [])
        let resumed = hello(versions: [3, 4], key: [0, 41] + part(2, [0, 0]))
        let older = hello(versions: [], key: [])
        let certificates = message(11, part(3, part(3, certificate) + part(3, certificate)))
        let whole = older + certificates + message(12, [1, 2, 3]) + message(14, [])
        var records: [UInt8] = []
        for start in stride(from: 0, to: whole.count, by: 50) {
            records += record(22, Array(whole[start..<min(start + 50, whole.count)]))
        }
        let change = record(20, [1])
        let inputs: [[UInt8]] = [
            record(22, newest), record(22, resumed), record(22, older) + change, record(22, whole), records,
            record(22, older + message(4, [0, 0, 0, 0, 0, 1, 9])) + change, record(22, older + message(14, [])),
            record(22, hello(versions: [3, 4], key: [], random: retry)) + change + record(22, resumed),
            record(21, [2, 40]), record(22, [2, 0xFF, 0xFF, 0xFF] + newest), record(22, []), [22, 3, 3],
        ]
        return inputs.map { [7] + $0 }
    }

    /// A certificate with the name, the signer and the times of one, and no key.
    static var certificate: [UInt8] {
        func name(_ text: String) -> [UInt8] {
            value(0x30, value(0x31, value(0x30, value(6, [0x55, 4, 3]) + value(12, Array(text.utf8)))))
        }
        let times = value(0x17, Array("260101000000Z".utf8)) + value(0x18, Array("20510101000000Z".utf8))
        let names = value(6, [0x55, 0x1D, 17]) + value(4, value(0x30, value(0x82, Array("b.test".utf8))))
        var fields = value(0xA0, value(2, [2])) + value(2, [1]) + value(0x30, []) + name("Signer")
        fields += value(0x30, times) + name("a.test") + value(0x30, []) + value(0xA3, value(0x30, value(0x30, names)))
        return value(0x30, value(0x30, fields) + value(0x30, []) + value(3, [0]))
    }

    private static let retry: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2, 0xA2,
        0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    private static func hello(versions: [UInt8], key: [UInt8], random: [UInt8]? = nil) -> [UInt8] {
        let chosen = part(2, part(1, Array("h2".utf8)))
        let version: [UInt8] = versions.isEmpty ? [] : [0, 43] + part(2, versions)
        let extensions: [UInt8] = version + key + [0, 16] + part(2, chosen)
        let start: [UInt8] =
            [3, 3] + (random ?? Array(repeating: 0x5A, count: 32)) + part(1, [1, 2]) + [0xC0, 0x2F, 0]
        return message(2, start + part(2, extensions))
    }

    private static func message(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] { [type] + part(3, bytes) }

    private static func record(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] { [type, 3, 3] + part(2, bytes) }

    private static func value(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        bytes.count < 0x80 ? [tag] + part(1, bytes) : [tag, 0x82] + part(2, bytes)
    }

    private static func part(_ size: Int, _ bytes: [UInt8]) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
}
