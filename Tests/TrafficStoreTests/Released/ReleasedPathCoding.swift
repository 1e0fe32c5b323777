import Foundation

@testable import TrafficStore

/// The variable parts of a path as 0.1.0 wrote them.
struct ReleasedPathCoding {
    private let literals: [[UInt8]]

    private enum Kind {
        static let decimal: UInt64 = 0
        static let text: UInt64 = 1
        static let hex: UInt64 = 2
        static let uuid: UInt64 = 3
    }

    init(template: String) {
        var literals: [[UInt8]] = [[]]
        var name: [UInt8]?
        for byte in template.utf8.prefix(while: { $0 != UInt8(ascii: "?") }) {
            if name == nil, byte != UInt8(ascii: "{") {
                literals[literals.count - 1].append(byte)
            } else if byte == UInt8(ascii: "}") {
                literals.append([])
                name = nil
            } else {
                name = (name ?? []) + [byte]
            }
        }
        if let name { literals[literals.count - 1] += name }
        self.literals = literals
    }

    /// Appends the variable parts; returns false, and appends nothing, if the path does not fit.
    func append(_ path: UnsafeRawBufferPointer, to sink: ByteSink) -> Bool {
        let place = sink.count
        var position = 0
        for index in literals.indices {
            guard Self.hasPrefix(path, at: position, literals[index]) else {
                sink.cut(to: place)
                return false
            }
            position += literals[index].count
            guard index + 1 < literals.count else { break }
            // A variable part ends with its segment, or before the text that follows it in the segment.
            let next = literals[index + 1].first ?? UInt8(ascii: "/")
            var end = position
            while end < path.count, path[end] != next, path[end] != UInt8(ascii: "/") { end += 1 }
            Self.append(UnsafeRawBufferPointer(rebasing: path[position..<end]), to: sink)
            position = end
        }
        guard position == path.count else {
            sink.cut(to: place)
            return false
        }
        return true
    }

    private static func append(_ value: UnsafeRawBufferPointer, to sink: ByteSink) {
        if let number = ValueCoding.decimal(value) { return sink.appendVarint(number << 2 | Kind.decimal) }
        if ValueCoding.isUUID(value) {
            sink.appendVarint(Kind.uuid)
            ValueCoding.appendHex(value, to: sink)
        } else if value.count >= 4, ValueCoding.isHex(value) {
            sink.appendVarint(UInt64(value.count / 2) << 2 | Kind.hex)
            ValueCoding.appendHex(value, to: sink)
        } else {
            sink.appendVarint(UInt64(value.count) << 2 | Kind.text)
            sink.append(value)
        }
    }

    private static func hasPrefix(_ path: UnsafeRawBufferPointer, at position: Int, _ literal: [UInt8]) -> Bool {
        guard path.count - position >= literal.count else { return false }
        guard !literal.isEmpty, let start = path.baseAddress else { return true }
        return literal.withUnsafeBytes { memcmp($0.baseAddress!, start + position, literal.count) == 0 }
    }
}
