import QRCodes

extension QRCode {
    /// An image for a page, with the light modules around it that readers need.
    func svg(label: String) -> String {
        let frame = 4
        let side = size + 2 * frame
        var path = ""
        for y in 0..<size {
            for x in 0..<size where isDark(x, y) { path += "M\(x + frame),\(y + frame)h1v1h-1z" }
        }
        return "<svg class=\"code\" viewBox=\"0 0 \(side) \(side)\" role=\"img\" aria-label=\"\(label)\">"
            + "<path fill=\"#fff\" d=\"M0,0h\(side)v\(side)h-\(side)z\"/><path d=\"\(path)\"/></svg>"
    }
}
