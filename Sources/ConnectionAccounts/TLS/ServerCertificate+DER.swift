package import TrafficModel

extension ServerCertificate {
    /// Reads what a certificate says of itself (RFC 5280, section 4.1); what cannot be read is left empty.
    ///
    /// - Parameters:
    ///   - der: the certificate as it was sent.
    ///   - chainSize: the bytes of the message that it came in.
    package init(der: [UInt8], chainSize: ByteCount?) {
        self.init(
            subject: "", issuer: "", notBefore: nil, notAfter: nil, sha256: SHA256.hexadecimal(of: der),
            chainSize: chainSize)
        var all = DERReader(der[...])
        guard var fields = all.next(DERReader.sequence)?.inner.first(DERReader.sequence)?.inner else { return }
        // The version is there from 2 on; then come the serial number and the algorithm.
        guard let version = fields.next() else { return }
        if version.tag == 0xA0 { _ = fields.next() }
        guard fields.next(DERReader.sequence) != nil, let signer = fields.next(DERReader.sequence) else { return }
        let names = Self.names(signer)
        issuer = [names.common, names.organization.map { names.common == nil ? $0 : "(\($0))" }].compactMap(\.self)
            .joined(separator: " ")
        guard var times = fields.next(DERReader.sequence)?.inner else { return }
        notBefore = times.next().flatMap(Self.moment)
        notAfter = times.next().flatMap(Self.moment)
        guard let owner = fields.next(DERReader.sequence) else { return }
        subject = Self.names(owner).common ?? ""
        guard subject.isEmpty, fields.next(DERReader.sequence) != nil else { return }
        while let field = fields.next() {
            if field.tag == 0xA3 { subject = Self.firstName(field) ?? "" }
        }
    }

    /// The common name and the organization of a distinguished name (RFC 5280, appendix A.1).
    private static func names(_ name: DERReader.Value) -> (common: String?, organization: String?) {
        var names: (common: String?, organization: String?)
        var sets = name.inner
        while var parts = sets.next(DERReader.set)?.inner {
            while var part = parts.next(DERReader.sequence)?.inner {
                guard let kind = part.next(0x06), let value = part.next() else { break }
                switch Array(kind.content) {
                case [0x55, 4, 3]: names.common = text(value)
                case [0x55, 4, 10]: names.organization = text(value)
                default: break
                }
            }
        }
        return names
    }

    /// The text of a string of any type; nil if it is empty.
    private static func text(_ value: DERReader.Value) -> String? {
        let bytes = value.content.prefix(256)
        // BMPString and UniversalString have two and four bytes for each character.
        let width = [0x1E: 2, 0x1C: 4][value.tag] ?? 1
        guard width > 1 || value.tag == 0x14 else {
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - width + 1, by: width).map { index in
            bytes[index..<index + width].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        let scalars = units.map { Unicode.Scalar($0) ?? "\u{FFFD}" }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// The first DNS name among the extensions (RFC 5280, section 4.2.1.6).
    private static func firstName(_ extensions: DERReader.Value) -> String? {
        var list = extensions.inner
        guard var all = list.next(DERReader.sequence)?.inner else { return nil }
        while var one = all.next(DERReader.sequence)?.inner {
            guard let kind = one.next(0x06), Array(kind.content) == [0x55, 0x1D, 17] else { continue }
            while let value = one.next() {
                guard value.tag == 0x04, var names = value.inner.first(DERReader.sequence)?.inner else { continue }
                while let name = names.next() { if name.tag == 0x82 { return text(name) } }
            }
        }
        return nil
    }

    /// A moment as `YYMMDDhhmmssZ` or `YYYYMMDDhhmmssZ` (RFC 5280, section 4.1.2.5).
    private static func moment(_ value: DERReader.Value) -> Timestamp? {
        let isShort = value.tag == 0x17
        let digits = value.content.dropLast().map { Int64($0) - 0x30 }
        guard isShort || value.tag == 0x18, value.content.last == 0x5A, digits.count == (isShort ? 12 : 14),
            digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        var rest = digits[...]
        func number(_ count: Int) -> Int64 {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + $1 }
        }
        var year = number(isShort ? 2 : 4)
        if isShort { year += year < 50 ? 2_000 : 1_900 }
        let (month, day, hour, minute, second) = (number(2), number(2), number(2), number(2), number(2))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else {
            return nil
        }
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
        let (nanoseconds, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // 99991231235959Z means that there is no end (RFC 5280, section 4.1.2.5).
        return isTooLate ? nil : Timestamp(nanoseconds: nanoseconds)
    }
}

extension DERReader {
    /// The first value, if it has that tag.
    fileprivate func first(_ tag: UInt8) -> Value? {
        var all = self
        return all.next(tag)
    }
}
