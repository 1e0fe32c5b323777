import Foundation
import HTTPWire

/// A body in a HAR, which is always decoded.
struct HARBody {
    private let bytes: [UInt8]?

    /// Takes the body of a message; empty if the archive has none.
    init(_ message: HAREntry.Message) {
        guard let text = message.text, !text.isEmpty else {
            bytes = nil
            return
        }
        guard message.isBase64 else {
            bytes = Array(text.utf8)
            return
        }
        bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) }
    }

    /// XXH3 of the decoded body; it shows whether the same content came again as well as a digest of the sent bytes
    /// would.
    var digest: UInt64? {
        bytes.map { bytes in
            var digest = BodyDigest()
            digest.add(bytes)
            return digest.value
        }
    }

    /// The first bytes, if the decoded body is the same as what was sent.
    func kept(limit: Int, coding: String) -> [UInt8]? {
        guard limit > 0, coding.isEmpty, let bytes else { return nil }
        return Array(bytes.prefix(limit))
    }
}
