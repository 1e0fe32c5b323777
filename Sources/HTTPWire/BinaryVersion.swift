extension String {
    /// Whether a version of HTTP is one whose heads are not text on the wire: what libcurl shows of them is no measure.
    package var isBinaryHTTP: Bool { hasPrefix("2") || hasPrefix("3") }
}
