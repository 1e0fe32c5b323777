import Foundation
import HTTPWire

/// A body as a HAR has it: decoded.
struct HARBody {
    private let bytes: [UInt8]?

    /// The body of a message; none where the text is shorter than the size says, for then it was cut.
    init(_ message: HAREntry.Message, contentSize: Int64?) {
        guard let text = message.text, !text.isEmpty else {
            bytes = nil
            return
        }
        bytes = message.isBase64 ? Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) }
            : Array(text.utf8)
    }

    /// XXH64 of the decoded body: as good as one of the sent one for telling whether the same came again.
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
