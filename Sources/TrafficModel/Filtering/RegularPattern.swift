/// A regular expression whose time grows with the text, never with the number of ways to match it.
///
/// It knows what needs no memory of earlier matches: literals, `.`, classes such as `[a-z]` and `\d`, groups, `|`, `*`,
/// `+`, `?`, `{2,5}`, `^` and `$`. It says whether it is found, not where. All ways are followed at once (Thompson's
/// construction), so a text of n characters takes at most n times the number of steps, and that is bounded.
package struct RegularPattern: Hashable, Sendable {
    /// One step of the machine.
    enum Step: Sendable {
        /// Takes one character of the set.
        case take(CharacterSet)
        /// Goes on at both.
        case split(Int, Int)
        /// Goes on there.
        case jump(Int)
        /// Goes on at the start of the text.
        case start
        /// Goes on at the end of the text.
        case end
        /// The pattern is found.
        case found
    }

    /// Characters in ranges, in order; or all others.
    struct CharacterSet: Sendable {
        var ranges: [ClosedRange<UInt32>]
        var isNegated = false

        func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } != isNegated }
    }

    /// Why a text is not a regular expression.
    package struct Mistake: Error, Hashable, Sendable {
        /// What is wrong.
        package let reason: Reason
        /// The number of Unicode scalars before it.
        package let offset: Int

        /// The kinds of mistakes.
        package enum Reason: String, Hashable, Sendable {
            case openGroup, openBrace, closedGroup, openClass, range, nothingToRepeat, count, escape, unsupported
            case tooLarge
        }
    }

    /// The most steps of a pattern.
    package static let stepLimit = 1_000

    /// The expression as it was written.
    package let source: String
    private let foldsCase: Bool
    private let steps: [Step]

    /// Compiles an expression.
    package init(_ source: String, foldsCase: Bool) throws(Mistake) {
        self.source = source
        self.foldsCase = foldsCase
        steps = try RegularPatternCompiler.steps(of: source, foldsCase: foldsCase)
    }

    /// Whether the pattern is anywhere in that text; bytes that are no UTF-8 count as U+FFFD.
    package func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var now = Places(count: steps.count)
        var next = Places(count: steps.count)
        var stack: [Int] = []
        if add(0, to: &now, &stack, isStart: true, isEnd: bytes.isEmpty) { return true }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var scalar = Self.scalar(&decoder, &iterator)
        var isFirst = true
        while let current = scalar {
            scalar = Self.scalar(&decoder, &iterator)
            if !isFirst, add(0, to: &now, &stack, isStart: false, isEnd: false) { return true }
            isFirst = false
            next.removeAll()
            for place in now.places[..<now.count] {
                guard case .take(let set) = steps[place], set.contains(current) else { continue }
                if add(place + 1, to: &next, &stack, isStart: false, isEnd: scalar == nil) { return true }
            }
            swap(&now, &next)
        }
        return add(0, to: &now, &stack, isStart: isFirst, isEnd: true)
    }

    /// The next character; nil at the end, and U+FFFD for bytes that are no UTF-8.
    static func scalar(
        _ decoder: inout UTF8, _ bytes: inout UnsafeBufferPointer<UInt8>.Iterator
    ) -> UInt32? {
        switch decoder.decode(&bytes) {
        case .scalarValue(let scalar): scalar.value
        case .emptyInput: nil
        case .error: 0xFFFD
        }
    }

    /// Whether a step takes a character.
    func takes(_ scalar: UInt32, at step: Int) -> Bool {
        if case .take(let set) = steps[step] { set.contains(scalar) } else { false }
    }

    /// The steps that take a character, from those steps on and from the first one, which may begin anywhere.
    ///
    /// - Returns: no steps if the pattern is found before a character is taken.
    func closure(of first: [Int], isStart: Bool, isEnd: Bool) -> (takes: [Int], isFound: Bool) {
        var places = Places(count: steps.count)
        var stack: [Int] = []
        for step in first + [0] where add(step, to: &places, &stack, isStart: isStart, isEnd: isEnd) {
            return ([], true)
        }
        let takes = places.places[..<places.count].filter { if case .take = steps[$0] { true } else { false } }
        return (takes, false)
    }

    // Adds a step and what it leads to without taking a character; returns whether the pattern is found.
    private func add(
        _ first: Int, to places: inout Places, _ stack: inout [Int], isStart: Bool, isEnd: Bool
    ) -> Bool {
        stack.append(first)
        while let place = stack.popLast() {
            guard places.insert(place) else { continue }
            switch steps[place] {
            case .take: break
            case .split(let left, let right):
                stack.append(right)
                stack.append(left)
            case .jump(let target): stack.append(target)
            case .start: if isStart { stack.append(place + 1) }
            case .end: if isEnd { stack.append(place + 1) }
            case .found:
                stack.removeAll()
                return true
            }
        }
        return false
    }

    /// A set of steps that is emptied in no time.
    private struct Places {
        var places: [Int]
        var count = 0
        private var index: [Int]

        init(count: Int) {
            places = [Int](repeating: 0, count: count)
            index = places
        }

        mutating func insert(_ place: Int) -> Bool {
            let known = index[place]
            if known < count, places[known] == place { return false }
            places[count] = place
            index[place] = count
            count += 1
            return true
        }

        mutating func removeAll() { count = 0 }
    }

    /// Equal expressions have the same source and the same rule for case.
    package static func == (left: Self, right: Self) -> Bool {
        left.source == right.source && left.foldsCase == right.foldsCase
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(foldsCase)
    }
}
