/// Encodes the values of field lines that change with every message, in few bytes and without loss.
enum ValueCoding {
    /// Appends a value in the shortest kind that restores the same bytes, and returns that kind.
    static func append(_ value: UnsafeRawBufferPointer, seconds: Int64, to sink: ByteSink) -> LineKind {
        if let number = decimal(value) {
            sink.appendVarint(number)
            return .decimal
        }
        if let date = HTTPDate.seconds(of: value) {
            sink.appendSigned(date - seconds)
            return .date
        }
        if isUUID(value) {
            appendHex(value, to: sink)
            return .uuid
        }
        if value.count >= 4 {
            if isHex(value) {
                sink.appendVarint(UInt64(value.count / 2))
                appendHex(value, to: sink)
                return .hex
            }
            if value[0] == 0x22, value[value.count - 1] == 0x22 {
                let inner = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
                if isHex(inner) {
                    sink.appendVarint(UInt64(inner.count / 2))
                    appendHex(inner, to: sink)
                    return .quotedHex
                }
            }
        }
        sink.appendVarint(UInt64(value.count))
        sink.append(value)
        return .text
    }

    /// Reads a value of that kind and appends it as it was on the wire, with its CRLF.
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
        case .uuid: appendUUID(reader.take(16), to: &bytes)
        case .quotedHex:
            bytes.append(0x22)
            appendDigits(reader.take(Int(clamping: reader.varint())), to: &bytes)
            bytes.append(0x22)
        }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    /// Skips a value of that kind.
    static func skip(_ kind: LineKind, from reader: inout ByteReader) {
        switch kind {
        case .known: return
        case .raw, .text, .hex, .quotedHex: _ = reader.take(Int(clamping: reader.varint()))
        case .decimal, .date: _ = reader.varint()
        case .uuid: _ = reader.take(16)
        }
    }

    /// The value of up to 18 digits; nil if it has leading zeros or other bytes.
    static func decimal(_ value: UnsafeRawBufferPointer) -> UInt64? {
        guard value.count > 0, value.count <= 18, value[0] != 0x30 || value.count == 1 else { return nil }
        var number: UInt64 = 0
        for byte in value {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ UInt64(digit)
        }
        return number
    }

    /// Whether these are lower-case hexadecimal digits, an even number of them.
    static func isHex(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count > 0, value.count % 2 == 0 else { return false }
        for byte in value where nibble(byte) > 15 { return false }
        return true
    }

    /// Whether this is a UUID in lower case.
    static func isUUID(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count == 36 else { return false }
        for index in 0..<36 {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard isDash ? value[index] == 0x2D : nibble(value[index]) < 16 else { return false }
        }
        return true
    }

    /// Appends hexadecimal digits, two in each byte; other bytes are skipped.
    static func appendHex(_ value: UnsafeRawBufferPointer, to sink: ByteSink) {
        var high: UInt8 = 0xFF
        for byte in value {
            let digit = nibble(byte)
            guard digit < 16 else { continue }
            if high == 0xFF {
                high = digit
            } else {
                sink.append(high << 4 | digit)
                high = 0xFF
            }
        }
    }

    /// Appends two hexadecimal digits for each byte.
    static func appendDigits(_ packed: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        for byte in packed { appendDigits(byte, to: &bytes) }
    }

    /// Appends 16 bytes as a UUID.
    static func appendUUID(_ packed: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        for (offset, byte) in packed.enumerated() {
            if offset == 4 || offset == 6 || offset == 8 || offset == 10 { bytes.append(0x2D) }
            appendDigits(byte, to: &bytes)
        }
    }

    private static func appendDigits(_ byte: UInt8, to bytes: inout [UInt8]) {
        let (high, low) = (byte >> 4, byte & 15)
        bytes.append(high < 10 ? 0x30 + high : 0x57 + high)
        bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
    }

    // Returns 0xFF for a byte that is no lower-case hexadecimal digit.
    @inline(__always)
    private static func nibble(_ byte: UInt8) -> UInt8 {
        let digit = byte &- 0x30
        if digit < 10 { return digit }
        let letter = byte &- 0x61
        return letter < 6 ? letter + 10 : 0xFF
    }
}
