/// Compiles a regular expression: text, then a tree, then steps.
struct RegularPatternCompiler {
    private typealias Mistake = RegularPattern.Mistake
    private typealias Step = RegularPattern.Step
    private typealias CharacterSet = RegularPattern.CharacterSet

    private indirect enum Node {
        case empty, start, end
        case set(CharacterSet)
        case sequence([Node])
        case either([Node])
        case repeated(Node, least: Int, most: Int?)
    }

    private static let deepest = 50
    private static let mostRepeats = 100

    private let text: [Unicode.Scalar]
    private let foldsCase: Bool
    private var offset = 0
    private var steps: [Step] = []

    private init(_ text: String, foldsCase: Bool) {
        self.text = Array(text.unicodeScalars)
        self.foldsCase = foldsCase
    }

    static func steps(of text: String, foldsCase: Bool) throws(RegularPattern.Mistake) -> [RegularPattern.Step] {
        var compiler = RegularPatternCompiler(text, foldsCase: foldsCase)
        let node = try compiler.alternatives(depth: 0)
        guard compiler.offset == compiler.text.count else { throw compiler.mistake(.closedGroup) }
        try compiler.emit(node)
        try compiler.append(.found)
        return compiler.steps
    }

    private func mistake(_ reason: Mistake.Reason, at offset: Int? = nil) -> Mistake {
        Mistake(reason: reason, offset: offset ?? self.offset)
    }

    // MARK: Text to tree

    private var next: Unicode.Scalar? { offset < text.count ? text[offset] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        offset += 1
        return true
    }

    private mutating func alternatives(depth: Int) throws(Mistake) -> Node {
        guard depth < Self.deepest else { throw mistake(.tooLarge) }
        var nodes = [try sequence(depth)]
        while take("|") { nodes.append(try sequence(depth)) }
        return nodes.count == 1 ? nodes[0] : .either(nodes)
    }

    private mutating func sequence(_ depth: Int) throws(Mistake) -> Node {
        var nodes: [Node] = []
        while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try repeated(depth)) }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func repeated(_ depth: Int) throws(Mistake) -> Node {
        var node = try one(depth)
        var isRepeated = false
        while let scalar = next {
            let begin = offset
            switch scalar {
            case "*": node = .repeated(node, least: 0, most: nil)
            case "+": node = .repeated(node, least: 1, most: nil)
            case "?": node = .repeated(node, least: 0, most: 1)
            case "{":
                guard let (least, most) = try counts() else { return node }
                node = .repeated(node, least: least, most: most)
                offset -= 1
            default: return node
            }
            guard !isRepeated else { throw mistake(.nothingToRepeat, at: begin) }
            isRepeated = true
            offset += 1
            // A repetition that takes as little as it can is found in the same texts.
            _ = take("?")
        }
        return node
    }

    // `{2}`, `{2,}` or `{2,5}`; nil if the brace begins none and stands for itself.
    private mutating func counts() throws(Mistake) -> (least: Int, most: Int?)? {
        let begin = offset
        offset += 1
        let least = number()
        var most = least
        if take(",") { most = number() ?? -1 }
        if least != nil, next == nil { throw mistake(.openBrace, at: begin) }
        guard let least, take("}") else {
            offset = begin
            return nil
        }
        let last = most == -1 ? nil : most
        guard least <= Self.mostRepeats, last ?? 0 <= Self.mostRepeats, last ?? least >= least else {
            throw mistake(.count, at: begin)
        }
        return (least, last)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = next.flatMap({ $0.isASCII ? Int(String($0)) : nil }) {
            value = min((value ?? 0) * 10 + digit, 1_000_000)
            offset += 1
        }
        return value
    }

    private mutating func one(_ depth: Int) throws(Mistake) -> Node {
        let begin = offset
        guard let scalar = next else { return .empty }
        // A brace that begins no count stands for itself.
        if scalar == "{", try counts() != nil { throw mistake(.nothingToRepeat, at: begin) }
        offset += 1
        switch scalar {
        case "(":
            if take("?"), !take(":") { throw mistake(.unsupported, at: begin) }
            let node = try alternatives(depth: depth + 1)
            guard take(")") else { throw mistake(.openGroup, at: begin) }
            return node
        case "[": return .set(try characters(begin))
        case ".": return .set(CharacterSet(ranges: [0x0A...0x0A], isNegated: true))
        case "^": return .start
        case "$": return .end
        case "*", "+", "?": throw mistake(.nothingToRepeat, at: begin)
        case "\\": return .set(try escape(begin))
        default: return .set(folded(CharacterSet(ranges: [scalar.value...scalar.value])))
        }
    }

    private mutating func escape(_ begin: Int) throws(Mistake) -> CharacterSet {
        guard let scalar = next else { throw mistake(.escape, at: begin) }
        offset += 1
        let digits: [ClosedRange<UInt32>] = [0x30...0x39]
        let word = digits + [0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        let space: [ClosedRange<UInt32>] = [0x09...0x0D, 0x20...0x20]
        switch scalar {
        case "d": return CharacterSet(ranges: digits)
        case "D": return CharacterSet(ranges: digits, isNegated: true)
        case "w": return CharacterSet(ranges: word)
        case "W": return CharacterSet(ranges: word, isNegated: true)
        case "s": return CharacterSet(ranges: space)
        case "S": return CharacterSet(ranges: space, isNegated: true)
        case "t": return CharacterSet(ranges: [0x09...0x09])
        case "n": return CharacterSet(ranges: [0x0A...0x0A])
        case "r": return CharacterSet(ranges: [0x0D...0x0D])
        default:
            let isWord = word.contains { $0.contains(scalar.value) }
            guard !isWord else { throw mistake(.unsupported, at: begin) }
            return CharacterSet(ranges: [scalar.value...scalar.value])
        }
    }

    private mutating func characters(_ begin: Int) throws(Mistake) -> CharacterSet {
        var set = CharacterSet(ranges: [])
        let isNegated = take("^")
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            isFirst = false
            let place = offset
            offset += 1
            guard scalar != "[" || next != ":" else { throw mistake(.unsupported, at: place) }
            let low = scalar == "\\" ? try escape(place) : CharacterSet(ranges: [scalar.value...scalar.value])
            // The opposite of a class within a class would need sets to be subtracted.
            guard !low.isNegated else { throw mistake(.unsupported, at: place) }
            guard next == "-", offset + 1 < text.count, text[offset + 1] != "]" else {
                set.ranges += low.ranges
                continue
            }
            offset += 1
            let last = text[offset]
            let highPlace = offset
            offset += 1
            let high = last == "\\" ? try escape(highPlace) : CharacterSet(ranges: [last.value...last.value])
            guard low.ranges.count == 1, high.ranges.count == 1, !high.isNegated, low.ranges[0].count == 1,
                high.ranges[0].count == 1, low.ranges[0].lowerBound <= high.ranges[0].lowerBound
            else { throw mistake(.range, at: place) }
            set.ranges.append(low.ranges[0].lowerBound...high.ranges[0].lowerBound)
        }
        guard take("]") else { throw mistake(.openClass, at: begin) }
        set = folded(set)
        set.isNegated = isNegated
        return set
    }

    // Adds the other case of ASCII letters.
    private func folded(_ set: CharacterSet) -> CharacterSet {
        guard foldsCase else { return set }
        var result = set
        for range in set.ranges {
            for (letters, distance) in [(UInt32(0x41)...0x5A, Int64(0x20)), (UInt32(0x61)...0x7A, -0x20)]
            where range.overlaps(letters) {
                let part = range.clamped(to: letters)
                result.ranges.append(
                    UInt32(Int64(part.lowerBound) + distance)...UInt32(Int64(part.upperBound) + distance))
            }
        }
        return result
    }

    // MARK: Tree to steps

    private mutating func append(_ step: Step) throws(Mistake) {
        guard steps.count < RegularPattern.stepLimit else { throw mistake(.tooLarge, at: 0) }
        steps.append(step)
    }

    private mutating func emit(_ node: Node) throws(Mistake) {
        switch node {
        case .empty: break
        case .start: try append(.start)
        case .end: try append(.end)
        case .set(let set): try append(.take(set))
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .either(let nodes):
            var jumps: [Int] = []
            for node in nodes.dropLast() {
                let split = steps.count
                try append(.split(0, 0))
                try emit(node)
                jumps.append(steps.count)
                try append(.jump(0))
                steps[split] = .split(split + 1, steps.count)
            }
            try emit(nodes[nodes.count - 1])
            for jump in jumps { steps[jump] = .jump(steps.count) }
        case .repeated(let node, let least, let most):
            for _ in 0..<least {
                let before = steps.count
                try emit(node)
                // What takes no step is the same any number of times.
                guard steps.count > before else { break }
            }
            guard let most else {
                let split = steps.count
                try append(.split(0, 0))
                try emit(node)
                try append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<most {
                splits.append(steps.count)
                try append(.split(0, 0))
                try emit(node)
            }
            for split in splits { steps[split] = .split(split + 1, steps.count) }
        }
    }
}
