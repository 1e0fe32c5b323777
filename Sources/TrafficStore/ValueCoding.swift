/// The values of field lines that change with every message, in as few bytes as give back every one.
enum ValueCoding {
    /// Appends a value in the shortest kind that gives back the same bytes, and says which.
    static func append(_ value: UnsafeRawBufferPointer, seconds: Int64, to bytes: inout [UInt8]) -> LineKind {
        if let number = decimal(value) {
            bytes.appendVarint(number)
            return .decimal
        }
        if let date = HTTPDate.seconds(of: value) {
            bytes.appendSigned(date - seconds)
            return .date
        }
        if isUUID(value) {
            appendHex(value, to: &bytes)
            return .uuid
        }
        if isHex(value), value.count >= 4 {
            bytes.appendVarint(UInt64(value.count / 2))
            appendHex(value, to: &bytes)
            return .hex
        }
        if value.count >= 4, value[0] == 0x22, value[value.count - 1] == 0x22 {
            let inner = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
            if isHex(inner) {
                bytes.appendVarint(UInt64(inner.count / 2))
                appendHex(inner, to: &bytes)
                return .quotedHex
            }
        }
        bytes.appendVarint(UInt64(value.count))
        bytes.append(contentsOf: value)
        return .text
    }

    /// Reads a value of that kind and appends it as it stood on the wire, with its CRLF.
    static func read(_ kind: LineKind, from reader: inout ByteReader, seconds: Int64, to bytes: inout [UInt8]) {
        switch kind {
        case .known: return
        case .raw:
            bytes.append(contentsOf: reader.take(Int(clamping: reader.varint())))
            return
        case .text: bytes.append(contentsOf: reader.take(Int(clamping: reader.varint())))
        case .decimal: bytes.append(contentsOf: String(reader.varint()).utf8)
        case .date: HTTPDate.appendDate(seconds &+ reader.signed(), to: &bytes)
        case .hex: appendDigits(reader.take(Int(clamping: reader.varint())), to: &bytes)
        case .uuid:
            let digits = reader.take(16)
            for (offset, byte) in digits.enumerated() {
                if offset == 4 || offset == 6 || offset == 8 || offset == 10 { bytes.append(0x2D) }
                appendDigits(CollectionOfOne(byte), to: &bytes)
            }
        case .quotedHex:
            bytes.append(0x22)
            appendDigits(reader.take(Int(clamping: reader.varint())), to: &bytes)
            bytes.append(0x22)
        }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    private static func decimal(_ value: UnsafeRawBufferPointer) -> UInt64? {
        guard value.count > 0, value.count <= 18, value[0] != 0x30 || value.count == 1 else { return nil }
        var number: UInt64 = 0
        for byte in value {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + UInt64(digit)
        }
        return number
    }

    private static func isHex(_ value: UnsafeRawBufferPointer) -> Bool {
        value.count > 0 && value.count % 2 == 0 && value.allSatisfy { nibble($0) != nil }
    }

    private static func isUUID(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count == 36 else { return false }
        for index in 0..<36 {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard isDash ? value[index] == 0x2D : nibble(value[index]) != nil else { return false }
        }
        return true
    }

    private static func appendHex(_ value: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var high: UInt8?
        for byte in value {
            guard let digit = nibble(byte) else { continue }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
    }

    private static func appendDigits(_ packed: some Collection<UInt8>, to bytes: inout [UInt8]) {
        for byte in packed {
            for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
