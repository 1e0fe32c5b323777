internal import TrafficModel

/// A message of DNS with one question (RFC 1035, section 4), of which perhaps only the first bytes are known.
package struct DNSMessage: Hashable, Sendable {
    /// What is asked.
    package struct Question: Hashable, Sendable {
        /// The name in lower case, without a final dot; `.` for the root.
        package var name: String
        /// The number of the type of the records.
        package var type: UInt16
    }

    /// The number by which an answer names its question.
    package var id: UInt16
    package var isResponse: Bool
    /// Whether a part was left out, so that the program asks again in a connection of TCP (RFC 1035, section 4.1.1: TC).
    package var isTruncated: Bool
    /// The RCODE (RFC 1035, section 4.1.1); 0 for no error.
    package var code: UInt8
    /// What is asked; nil in an answer that does not repeat it.
    package var question: Question?
    /// The number of records of the type in the answer.
    package var answers: Int64 = 0
    /// The first addresses of them.
    package var addresses: [String] = []

    private static let internet: UInt16 = 1

    /// Reads a message.
    ///
    /// Nil if the bytes are no query or no answer to one, or if they have several questions, which no resolver answers
    /// (RFC 9619).
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard let id = reader.number(), let flags = reader.number(), let questions = reader.number(),
            let records = reader.number(), reader.skip(4)
        else { return nil }
        self.id = id
        isResponse = flags & 0x8000 != 0
        isTruncated = isResponse && flags & 0x0200 != 0
        code = UInt8(flags & 0xF)
        // The kind of query must be a standard one.
        guard flags & 0x7800 == 0, questions <= 1 else { return nil }
        guard questions == 1 else {
            guard isResponse else { return nil }
            return
        }
        guard let name = reader.name(), let type = reader.number(), let group = reader.number(), group == Self.internet
        else { return nil }
        question = Question(name: name, type: type)
        guard isResponse else { return }
        // What is cut off does not count.
        for _ in 0..<records {
            guard reader.skipName(), let kind = reader.number(), let group = reader.number(), reader.skip(4),
                let size = reader.number(), let data = reader.bytes(Int(size))
            else { return }
            guard kind == type, group == Self.internet else { continue }
            answers += 1
            guard addresses.count < LookupRecord.mostAddresses else { continue }
            switch (kind, data.count) {
            case (1, 4): addresses.append(AddressText.ofIPv4(data))
            case (28, 16): addresses.append(AddressText.ofIPv6(Array(data)))
            default: break
            }
        }
    }

    /// The name of its code, such as `NXDOMAIN`; nil if it is no error.
    package var error: String? { code == 0 ? nil : DNSNames.code(code) }
}

/// Reads the parts of a message from the front.
private struct Reader {
    private let all: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { all = bytes }

    mutating func number() -> UInt16? {
        guard all.count - offset >= 2 else { return nil }
        defer { offset += 2 }
        return UInt16(all[offset]) << 8 | UInt16(all[offset + 1])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard all.count - offset >= count else { return false }
        offset += count
        return true
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard all.count - offset >= count else { return nil }
        defer { offset += count }
        return all[offset..<(offset + count)]
    }

    /// The question's name.
    ///
    /// It is the message's first, so there is nothing that it could point to (section 4.1.4).
    mutating func name() -> String? {
        var text: [UInt8] = []
        var size = 1
        while true {
            guard offset < all.count else { return nil }
            let length = Int(all[offset])
            offset += 1
            if length == 0 { return text.isEmpty ? "." : String(decoding: text, as: UTF8.self) }
            // 63 bytes in a label, 255 in a name (section 2.3.4).
            size += length + 1
            guard length < 64, size <= 255, let label = bytes(length) else { return nil }
            if !text.isEmpty { text.append(UInt8(ascii: ".")) }
            for byte in label { Self.append(byte, to: &text) }
        }
    }

    /// Skips a name that may end with a pointer: it is not followed, so none can lead in a circle.
    mutating func skipName() -> Bool {
        while true {
            guard offset < all.count else { return false }
            let length = Int(all[offset])
            switch length {
            case 0: return skip(1)
            case 1..<64: guard skip(1 + length) else { return false }
            case 0xC0...: return skip(2)
            default: return false
            }
        }
    }

    /// A byte in lower case; one that is no part of a host's name as in a file of zones (section 5.1).
    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): text.append(byte | 0x20)
        case UInt8(ascii: "."), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
        case 0x21...0x7E: text.append(byte)
        default:
            let digits = String(byte)
            text += [UInt8(ascii: "\\")] + Array((String(repeating: "0", count: 3 - digits.count) + digits).utf8)
        }
    }
}
