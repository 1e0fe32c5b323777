extension String {
    /// Whether a version of HTTP sends headers in binary form, so that the text that libcurl shows does not give their
    /// size.
    package var isBinaryHTTP: Bool { hasPrefix("2") || hasPrefix("3") }
}
