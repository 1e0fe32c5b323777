extension String {
    /// Whether a version of HTTP sends headers in binary form, so that the text that libcurl shows does not give their
    /// size.
    package var isBinaryHTTP: Bool { utf8.first == UInt8(ascii: "2") || utf8.first == UInt8(ascii: "3") }
}
