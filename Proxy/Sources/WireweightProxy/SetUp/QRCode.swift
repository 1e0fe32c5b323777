import CQRCode

/// A square of dark and light modules that a camera reads as a text (ISO/IEC 18004).
struct QRCode {
    /// The modules of a side, without the light frame.
    private let size: Int
    private let isDark: [Bool]
    /// The light modules around it that readers need.
    private static let frame = 4

    /// A code for a text; nil if it is too long.
    init?(_ text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        isDark = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    private func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && isDark[y * size + x]
    }

    /// Lines for a terminal, dark on light whatever its colours are; a character is two modules, one above the other.
    var terminalLines: [String] {
        let places = -Self.frame..<size + Self.frame
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { y in
            let characters = places.map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m\(characters.joined())\u{1B}[0m"
        }
    }

    /// An image for a page.
    func svg(label: String) -> String {
        let side = size + 2 * Self.frame
        var path = ""
        for y in 0..<size {
            for x in 0..<size where isDark(x, y) { path += "M\(x + Self.frame),\(y + Self.frame)h1v1h-1z" }
        }
        return "<svg class=\"code\" viewBox=\"0 0 \(side) \(side)\" role=\"img\" aria-label=\"\(label)\">"
            + "<path fill=\"#fff\" d=\"M0,0h\(side)v\(side)h-\(side)z\"/><path d=\"\(path)\"/></svg>"
    }
}
