extension QRCode {
    /// The light modules around a code that readers need.
    private static let frame = 4

    /// The columns that the code takes on a terminal.
    package var terminalWidth: Int { size + 2 * Self.frame }

    /// Lines for a terminal, dark on light whatever its colours are; a character is two modules, one above the other.
    package var terminalLines: [String] { lines { $0 }.map { "\u{1B}[30;107m\($0)\u{1B}[0m" } }

    /// Lines without colours, for text that is light on dark: the light modules are drawn.
    package var lightLines: [String] { lines { !$0 } }

    private func lines(_ isDrawn: (Bool) -> Bool) -> [String] {
        let places = -Self.frame..<size + Self.frame
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { y in
            places.map { x in
                switch (isDrawn(isDark(x, y)), isDrawn(isDark(x, y + 1))) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
