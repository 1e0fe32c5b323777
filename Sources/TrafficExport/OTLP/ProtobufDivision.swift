/// Divides a message of Protocol Buffers into two that together have its elements.
enum ProtobufDivision {
    /// Divides a message after a number of the elements at a path of fields.
    ///
    /// Everything else that is on the way to an element is in both messages if both have such elements.
    ///
    /// - Parameters:
    ///   - message: the bytes of the message.
    ///   - path: the numbers of the fields, each a message in the one before; the last is the field of the elements.
    ///   - count: how many elements the first message has.
    /// - Returns: the bytes of both; nil if the message cannot be read, or if one of them would have no elements.
    static func divided(
        _ message: ArraySlice<UInt8>, at path: [UInt64], after count: Int
    ) -> (first: [UInt8], second: [UInt8])? {
        var left = count
        guard let parts = parts(of: message, at: path[...], left: &left), parts.first.hasElements,
            parts.second.hasElements
        else { return nil }
        return (parts.first.bytes, parts.second.bytes)
    }

    private struct Part {
        var bytes: [UInt8] = []
        var hasElements = false
    }

    private static func parts(
        of message: ArraySlice<UInt8>, at path: ArraySlice<UInt64>, left: inout Int
    ) -> (first: Part, second: Part)? {
        var (first, second) = (Part(), Part())
        var rest = message
        while !rest.isEmpty {
            let start = rest.startIndex
            guard let tag = varint(&rest), let content = content(ofType: tag & 7, &rest) else { return nil }
            let field = message[start..<rest.startIndex]
            guard tag >> 3 == path.first, tag & 7 == 2 else {
                first.bytes += field
                second.bytes += field
                continue
            }
            guard path.count > 1 else {
                if left > 0 {
                    first.bytes += field
                    first.hasElements = true
                } else {
                    second.bytes += field
                    second.hasElements = true
                }
                left -= 1
                continue
            }
            guard let inner = parts(of: content, at: path.dropFirst(), left: &left) else { return nil }
            append(inner.first, tag, to: &first)
            append(inner.second, tag, to: &second)
        }
        return (first, second)
    }

    private static func append(_ inner: Part, _ tag: UInt64, to part: inout Part) {
        guard inner.hasElements else { return }
        Protobuf.append(varint: tag, to: &part.bytes)
        Protobuf.append(varint: UInt64(inner.bytes.count), to: &part.bytes)
        part.bytes += inner.bytes
        part.hasElements = true
    }

    /// Takes the value of a field; nil if it is cut off or has a type that does not exist.
    private static func content(ofType type: UInt64, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let count: Int
        switch type {
        case 0: return varint(&rest) == nil ? nil : []
        case 1: count = 8
        case 2:
            guard let length = varint(&rest) else { return nil }
            count = Int(clamping: length)
        case 5: count = 4
        default: return nil
        }
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
