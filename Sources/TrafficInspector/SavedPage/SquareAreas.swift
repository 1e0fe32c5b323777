/// Areas for sizes: boxes in the order of the sizes, each as square as its row allows (Bruls, Huizing, van Wijk 2000).
///
/// The page's map draws with the same rule.
enum SquareAreas {
    struct Box: Hashable, Sendable {
        var x, y, width, height: Double

        /// The box without a margin on each side and a strip at the top.
        func inset(by margin: Double, top: Double = 0) -> Box {
            Box(
                x: x + margin, y: y + margin + top, width: max(0, width - 2 * margin),
                height: max(0, height - 2 * margin - top))
        }
    }

    /// The boxes of those sizes, the largest of which come first.
    static func boxes(of sizes: [Double], in box: Box) -> [Box] {
        let total = sizes.reduce(0, +)
        guard total > 0, box.width > 0, box.height > 0 else {
            return sizes.map { _ in Box(x: box.x, y: box.y, width: 0, height: 0) }
        }
        var rest = box
        let scale = box.width * box.height / total
        var boxes: [Box] = []
        var first = 0
        while first < sizes.count {
            let side = max(min(rest.width, rest.height), 0.0001)
            let largest = sizes[first] * scale
            var (end, sum, worst) = (first, 0.0, Double.infinity)
            while end < sizes.count {
                let area = sizes[end] * scale
                let next = sum + area
                let ratio = max(side * side * largest / (next * next), next * next / (side * side * max(area, 1e-9)))
                if ratio > worst { break }
                worst = ratio
                sum = next
                end += 1
            }
            let thickness = sum / side
            var along = 0.0
            let isUpright = rest.width >= rest.height
            for size in sizes[first..<end] {
                let length = thickness > 0 ? size * scale / thickness : 0
                boxes.append(
                    isUpright
                        ? Box(x: rest.x, y: rest.y + along, width: thickness, height: length)
                        : Box(x: rest.x + along, y: rest.y, width: length, height: thickness))
                along += length
            }
            if isUpright {
                rest.x += thickness
                rest.width = max(0, rest.width - thickness)
            } else {
                rest.y += thickness
                rest.height = max(0, rest.height - thickness)
            }
            first = end
        }
        return boxes
    }
}
