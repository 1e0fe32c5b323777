/// Reads a capture file except for its packets: its format, its interfaces, and the number of lost packets.
///
/// tshark does not report lost packets. The blocks of pcapng are simple to read (draft-ietf-opsawg-pcapng, section
/// 3.1).
package struct CaptureBlocks {
    /// The format of a capture file.
    package enum Format {
        case pcapng, pcap
        /// A compressed file, which tshark decompresses.
        case compressed

        /// The format of a file with those first four bytes; nil if it is not a capture.
        package init?(_ magic: [UInt8]) {
            switch magic {
            case [0x0A, 0x0D, 0x0D, 0x0A]: self = .pcapng
            // pcap with microseconds, with nanoseconds, and with longer packet headers, in either byte order.
            case [0xA1, 0xB2, 0xC3, 0xD4], [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
                [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0xCD, 0x34], [0x34, 0xCD, 0xB2, 0xA1]:
                self = .pcap
            // zstd, lz4.
            case [0x28, 0xB5, 0x2F, 0xFD], [0x04, 0x22, 0x4D, 0x18]: self = .compressed
            // gzip.
            default:
                guard magic.starts(with: [0x1F, 0x8B]) else { return nil }
                self = .compressed
            }
        }
    }

    private enum Kind {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let statistics: UInt32 = 5
    }

    private enum Option {
        /// Of an interface (section 4.2).
        static let name: UInt16 = 2
        /// Of an interface's statistics: dropped by the interface, and by the operating system (section 4.6).
        static let drops: Set<UInt16> = [5, 7]
    }

    private var isBigEndian = false
    private var names: [String] = []
    /// The latest count of each interface.
    private var drops: [UInt32: UInt64] = [:]
    private var finishedDrops: UInt64 = 0
    private var hasStatistics = false

    /// Larger blocks contain packets and are skipped.
    private static let mostRead = 1 << 16

    /// Reads the blocks of a pcapng file, up to the first that is not a block.
    ///
    /// - Parameter source: returns bytes in pieces of any size, none at the end.
    /// - Returns: the names of the interfaces, and the number of dropped packets.
    /// - Throws: errors of the source.
    package static func facts(source: @escaping () throws -> [UInt8]) throws -> CaptureVerification.Facts {
        var blocks = CaptureBlocks()
        try blocks.read(Pieces(source))
        return blocks.facts
    }

    private var facts: CaptureVerification.Facts {
        let sum = drops.values.reduce(finishedDrops) { $0.addingReportingOverflow($1).partialValue }
        return CaptureVerification.Facts(interfaces: names, dropped: hasStatistics ? Int64(clamping: sum) : nil)
    }

    private mutating func read(_ pieces: Pieces) throws {
        while let head = try pieces.take(8) {
            let kind = number(head, at: 0, UInt32.self)
            if kind == Kind.section {
                guard let order = try pieces.take(4) else { return }
                isBigEndian = order == [0x1A, 0x2B, 0x3C, 0x4D]
                // Each section numbers its interfaces from 0.
                finishedDrops = drops.values.reduce(finishedDrops) { $0.addingReportingOverflow($1).partialValue }
                drops = [:]
                let length = number(head, at: 4, UInt32.self)
                guard length >= 28, try pieces.skip(Int(length) - 12) else { return }
                continue
            }
            let length = number(head, at: 4, UInt32.self)
            guard length >= 12, length % 4 == 0 else { return }
            let rest = Int(length) - 8
            if kind == Kind.interface || kind == Kind.statistics, rest <= Self.mostRead {
                guard let body = try pieces.take(rest) else { return }
                take(kind, body: Array(body.dropLast(4)))
            } else if try !pieces.skip(rest) {
                return
            }
        }
    }

    private mutating func take(_ kind: UInt32, body: [UInt8]) {
        // Both kinds of block have a fixed part before their options.
        let fixed = kind == Kind.interface ? 8 : 12
        guard body.count >= fixed else { return }
        var place = fixed
        var dropped: UInt64 = 0
        while place + 4 <= body.count {
            let code = number(body, at: place, UInt16.self)
            let length = Int(number(body, at: place + 2, UInt16.self))
            place += 4
            guard code != 0, place + length <= body.count else { break }
            if kind == Kind.interface, code == Option.name {
                let name = String(decoding: body[place..<(place + length)].prefix { $0 != 0 }, as: UTF8.self)
                if !names.contains(name) { names.append(name) }
            } else if kind == Kind.statistics, Option.drops.contains(code), length == 8 {
                dropped = dropped.addingReportingOverflow(number(body, at: place, UInt64.self)).partialValue
                hasStatistics = true
            }
            place += (length + 3) / 4 * 4
        }
        if kind == Kind.statistics { drops[number(body, at: 0, UInt32.self)] = dropped }
    }

    private func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at place: Int, _: Number.Type) -> Number {
        let size = MemoryLayout<Number>.size
        return (0..<size).reduce(Number(0)) { value, index in
            value << 8 | Number(truncatingIfNeeded: bytes[place + (isBigEndian ? index : size - 1 - index)])
        }
    }
}

/// Cuts the bytes of a source into pieces of the sizes that are needed.
private final class Pieces {
    private let source: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var place = 0

    init(_ source: @escaping () throws -> [UInt8]) { self.source = source }

    /// The next `count` bytes; nil if there are fewer.
    func take(_ count: Int) throws -> [UInt8]? {
        while buffer.count - place < count { guard try fill() else { return nil } }
        defer { place += count }
        return Array(buffer[place..<(place + count)])
    }

    /// Skips `count` bytes; false if there are fewer.
    func skip(_ count: Int) throws -> Bool {
        var left = count
        while buffer.count - place < left {
            left -= buffer.count - place
            place = buffer.count
            guard try fill() else { return false }
        }
        place += left
        return true
    }

    private func fill() throws -> Bool {
        let more = try source()
        guard !more.isEmpty else { return false }
        buffer.removeFirst(place)
        place = 0
        buffer.append(contentsOf: more)
        return true
    }
}
