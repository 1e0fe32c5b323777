import Foundation

/// What a client saw of one request: equal with and without a meter, or the meter changes something.
struct DrivenResult: Hashable, Sendable, CustomStringConvertible {
    /// The final status; nil where no response came.
    var status: Int?
    /// The content as the client got it, decoded.
    var bodyCount = 0
    var bodyDigest: UInt64 = 0
    /// Domain and code of the error; nil where there was none.
    var error: String?
    /// The callbacks in their order, repeated ones once; empty where the style has none.
    var events: [String] = []
    var outcome = CorpusCase.Outcome.failed

    var description: String {
        "\(outcome) status \(status.map(String.init) ?? "-") body \(bodyCount) error \(error ?? "-") \(events)"
    }

    mutating func setBody(_ body: Data) {
        bodyCount = body.count
        bodyDigest = Self.digest(body)
    }

    /// Distinguishes contents that differ by accident; word by word, for 50 MB in a debug build.
    static func digest(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { bytes in
            var value: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
            var offset = 0
            while offset + 8 <= bytes.count {
                value = (value ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
                value ^= value >> 29
                offset += 8
            }
            while offset < bytes.count {
                value = (value ^ UInt64(bytes[offset])) &* 0x100_0000_01B3
                offset += 1
            }
            return value
        }
    }
}
