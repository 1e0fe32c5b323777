import ContentCoding
import Foundation
import HTTPWire
import TrafficModel
import TrafficReports

/// A body that was kept, as a HAR shows it: decoded, as text where it is text, else in Base64.
struct KeptContent {
    /// How much is decoded at most.
    static let limit = 16 << 20

    /// The text; nil where the content coding cannot be undone here.
    private(set) var text: String?
    /// `base64` where the text is that.
    private(set) var encoding: String?
    /// What is not as one would expect.
    private(set) var comment: String?

    /// The content of a body as it was sent, of which the first bytes were kept.
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
        if let valid = String(validating: bytes, as: UTF8.self) {
            text = valid
        } else {
            text = Data(bytes).base64EncodedString()
            encoding = "base64"
        }
        comment = notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// What stands beside the text.
    func members(encodingName: String) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let encoding { members.append(.init(encodingName, .string(encoding))) }
        if let comment { members.append(.init("comment", .string(comment))) }
        return members
    }
}
