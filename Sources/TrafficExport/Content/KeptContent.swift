import ContentCoding
import Foundation
import HTTPWire
import TextFormats
import TrafficModel

/// A kept body as a HAR shows it: decoded, as text if it is UTF-8, otherwise in Base64.
struct KeptContent {
    /// The largest decoded size, in bytes.
    static let limit = 16 << 20

    /// The decoded text or its Base64; nil if this process cannot undo the content coding.
    private(set) var text: String?
    /// `base64` if ``text`` is Base64; otherwise nil.
    private(set) var encoding: String?
    /// Notes about what a reader would not expect, such as a cut-off body; nil if there are none.
    private(set) var comment: String?

    /// Decodes the kept first bytes of a body, which are as they were sent.
    init(_ kept: [UInt8], coding: String, size: WireSize.Part) {
        var notes: [String] = []
        if size.bytes.bytes > kept.count { notes.append("of \(size.bytes) bytes the first \(kept.count) were kept") }
        var bytes = kept
        if !coding.isEmpty, coding.lowercased() != "identity" {
            guard let known = CompressedCoding(fieldValue: coding),
                let content = ZlibContent(of: kept, coding: known, limit: Self.limit)
            else {
                notes.append("the body was kept in \(coding), which is not decoded here")
                comment = notes.joined(separator: "; ")
                return
            }
            bytes = content.bytes
            switch content.ending {
            case .whole: break
            case .cut: if notes.isEmpty { notes.append("the compressed body ends too early") }
            case .malformed: notes.append("the body is not \(coding) from some place on")
            case .limit: notes.append("the first \(Self.limit) decoded bytes")
            }
        }
        if let valid = String(validUTF8: bytes) {
            text = valid
        } else {
            text = Data(bytes).base64EncodedString()
            encoding = "base64"
        }
        comment = notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// The members that follow the text: its encoding, under the given name, and the comment.
    func members(encodingName: String) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let encoding { members.append(.init(encodingName, .string(encoding))) }
        if let comment { members.append(.init("comment", .string(comment))) }
        return members
    }
}
