/// Finds parts of multipart bodies whose name is secret (RFC 7578, section 4.2).
struct MultipartSecrets {
    let names: SecretNames

    /// Covers the content of such parts.
    func scan(_ body: [UInt8], into cover: inout SecretCover) {
        var index = 0
        while let found = Self.find("name=\"", in: body, from: index) {
            let start = found + 6
            index = start
            guard let quote = body[start...].prefix(256).firstIndex(of: UInt8(ascii: "\"")) else { continue }
            index = quote
            guard names.contains(body[start..<quote]) else { continue }
            guard let blank = Self.find("\r\n\r\n", in: body, from: quote) else { continue }
            let end = Self.find("\r\n--", in: body, from: blank + 2) ?? body.count
            cover.hide(min(blank + 4, end)..<end)
            index = end
        }
    }

    private static func find(_ text: StaticString, in body: [UInt8], from start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        guard start + count <= body.count else { return nil }
        return text.withUTF8Buffer { text in
            (start...(body.count - count)).first { place in
                body[place] == text[0] && (1..<count).allSatisfy { body[place + $0] == text[$0] }
            }
        }
    }
}
