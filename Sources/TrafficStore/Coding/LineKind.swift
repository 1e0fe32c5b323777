/// The encoding of one field line: the low bits of its token in a shape.
///
/// The rest of the token is the number of a row of the table `line`: the whole line, or the part before the value
/// ("Date: "). The values follow the shape, in the order of their lines. Each kind restores every byte; a line that it
/// would not restore exactly gets a plainer kind.
enum LineKind: UInt64 {
    /// The whole line is in the table.
    case known = 0
    /// The whole line is a value: its length and its bytes.
    case raw = 1
    /// The value's length and bytes, and CRLF.
    case text = 2
    /// A number without leading zeros, and CRLF.
    case decimal = 3
    /// An HTTP date as the signed distance in seconds from the message's own moment, and CRLF.
    case date = 4
    /// Lower-case hexadecimal digits, two in each byte, and CRLF.
    case hex = 5
    /// A lower-case UUID in 16 bytes, and CRLF.
    case uuid = 6
    /// Lower-case hexadecimal digits in quotation marks, as in entity tags, and CRLF.
    case quotedHex = 7

    /// The number of low bits of a token that hold the kind.
    static let bits: UInt64 = 3
}
