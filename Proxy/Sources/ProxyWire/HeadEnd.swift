/// Finds the end of a header section, however its bytes are split.
package struct HeadEnd {
    private var scanned = 0
    /// Whether a line has ended with a lone LF.
    package private(set) var hasBareLF = false
    /// Whether a line may end with a lone LF (RFC 9112, section 2.2): so do some servers' responses.
    private let allowsBareLF: Bool

    package init(allowsBareLF: Bool) { self.allowsBareLF = allowsBareLF }

    /// The number of bytes of the section with its empty line; nil if its end has not come.
    ///
    /// `bytes` are all that have
    /// come since its beginning.
    package mutating func find(in bytes: Bytes) -> Int? {
        var i = scanned
        while i < bytes.count {
            guard bytes[i] == Syntax.lf else {
                i += 1
                continue
            }
            if i == 0 || bytes[i - 1] != Syntax.cr { hasBareLF = true }
            // The line before ended at a LF, and this one is empty.
            if i >= 3, bytes[i - 1] == Syntax.cr, bytes[i - 2] == Syntax.lf, allowsBareLF || bytes[i - 3] == Syntax.cr {
                scanned = 0
                return i + 1
            }
            if allowsBareLF, i >= 1, bytes[i - 1] == Syntax.lf {
                scanned = 0
                return i + 1
            }
            i += 1
        }
        scanned = i
        return nil
    }
}
