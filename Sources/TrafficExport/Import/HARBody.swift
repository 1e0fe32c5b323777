import Foundation
import HTTPWire

/// A body as a HAR has it: decoded.
struct HARBody {
    private let bytes: [UInt8]?

    /// The body of a message; none where the archive has none.
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

    /// XXH3 of the decoded body: as good as one of the sent one for telling whether the same came again.
    var digest: UInt64? {
        bytes.map { bytes in
            var digest = BodyDigest()
            digest.add(bytes)
            return digest.value
        }
    }

    /// The first bytes, where the decoded body is what was sent.
    func kept(limit: Int, coding: String) -> [UInt8]? {
        guard limit > 0, coding.isEmpty, let bytes else { return nil }
        return Array(bytes.prefix(limit))
    }
}
