/// Finds the end of a body in the bytes that pass.
package struct BodyScanner: Sendable {
    private enum State: Equatable, Sendable {
        case done
        case content(UInt64)
        case untilClose
        case size(UInt64, digits: Int)
        case extensions(UInt64, afterCR: Bool)
        case chunk(UInt64)
        case chunkEnd(afterCR: Bool)
        /// `length`: of the line so far, without CR.
        case trailer(length: Int, afterCR: Bool)
    }

    private var state: State
    /// Bytes of a chunk's extensions, or of trailers, which a sender could make endless.
    private var extra = 0
    private static let mostExtra = 64 * 1024

    package init(_ length: BodyLength) {
        switch length {
        case .none: state = .done
        case .length(let count): state = count == 0 ? .done : .content(count)
        case .chunked: state = .size(0, digits: 0)
        case .untilClose: state = .untilClose
        }
    }

    package var isDone: Bool { state == .done }
    package var endsAtClose: Bool { state == .untilClose }

    /// How many of these bytes belong to the body.
    package mutating func take(_ bytes: Bytes) throws(Malformed) -> Int {
        var position = 0
        while position < bytes.count {
            switch state {
            case .done: return position
            case .untilClose: return bytes.count
            case .content(let left):
                let run = left < UInt64(bytes.count - position) ? Int(left) : bytes.count - position
                position += run
                state = left == UInt64(run) ? .done : .content(left - UInt64(run))
            case .chunk(let left):
                let run = left < UInt64(bytes.count - position) ? Int(left) : bytes.count - position
                position += run
                state = left == UInt64(run) ? .chunkEnd(afterCR: false) : .chunk(left - UInt64(run))
            default:
                try takeFraming(bytes[position])
                position += 1
            }
        }
        return position
    }

    private mutating func takeFraming(_ byte: UInt8) throws(Malformed) {
        switch state {
        case .size(let size, let digits):
            if let digit = Syntax.hexDigit(byte) {
                // Sixteen digits fit; leading zeros without end do not.
                guard digits < 16, size >> 60 == 0 else { throw .chunk }
                state = .size(size << 4 | digit, digits: digits + 1)
            } else if digits > 0, byte == Syntax.cr {
                state = .extensions(size, afterCR: true)
            } else if digits > 0, byte == UInt8(ascii: ";") || Syntax.isWhitespace(byte) {
                state = .extensions(size, afterCR: false)
            } else {
                throw .chunk
            }
        case .extensions(let size, let afterCR):
            if afterCR {
                guard byte == Syntax.lf else { throw .chunk }
                // Of one chunk.
                extra = 0
                state = size == 0 ? .trailer(length: 0, afterCR: false) : .chunk(size)
            } else {
                guard byte != Syntax.lf, byte != 0 else { throw .chunk }
                try addExtra()
                state = .extensions(size, afterCR: byte == Syntax.cr)
            }
        case .chunkEnd(let afterCR):
            guard byte == (afterCR ? Syntax.lf : Syntax.cr) else { throw .chunk }
            state = afterCR ? .size(0, digits: 0) : .chunkEnd(afterCR: true)
        case .trailer(let length, let afterCR):
            if afterCR {
                guard byte == Syntax.lf else { throw .chunk }
                state = length == 0 ? .done : .trailer(length: 0, afterCR: false)
            } else {
                guard byte != Syntax.lf, byte != 0 else { throw .chunk }
                if byte == Syntax.cr {
                    state = .trailer(length: length, afterCR: true)
                } else {
                    try addExtra()
                    state = .trailer(length: length + 1, afterCR: false)
                }
            }
        case .done, .content, .untilClose, .chunk: break
        }
    }

    private mutating func addExtra() throws(Malformed) {
        extra += 1
        if extra > Self.mostExtra { throw .chunk }
    }
}
