/// The states of a regular expression that texts have led to, each with where an ASCII character leads from it.
///
/// A state is a set of steps, so a known character is one look into a table instead of a look at each of the steps. All
/// states are forgotten when there are too many.
final class RegularMachine {
    private struct State {
        /// The steps that take a character.
        var takes: [Int]
        /// Whether the pattern has been found here.
        var isFound: Bool
        /// Whether it has been found if the text ends here.
        var isFoundAtEnd: Bool
    }

    private static let unknown: Int32 = -1
    private static let characters = 128
    private let pattern: RegularPattern
    private let stateLimit: Int
    private var states: [State] = []
    private var numbers: [[Int]: Int32] = [:]
    // For each state the next one, by character.
    private var next: [Int32] = []

    init(_ pattern: RegularPattern, stateLimit: Int = 1_000) {
        self.pattern = pattern
        self.stateLimit = max(3, stateLimit)
        addFirst()
    }

    /// The same as ``RegularPattern/isFound(in:)``.
    func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var state: Int32 = 0
        var index = 0
        while true {
            if states[Int(state)].isFound { return true }
            guard index < bytes.count else { return states[Int(state)].isFoundAtEnd }
            let byte = bytes[index]
            guard byte < Self.characters else {
                return isFound(from: state, in: UnsafeBufferPointer(rebasing: bytes[index...]))
            }
            index += 1
            let known = next[Int(state) * Self.characters + Int(byte)]
            state = known != Self.unknown ? known : learn(from: state, byte)
        }
    }

    // The rest of a text, from the first character on that is not ASCII.
    private func isFound(from first: Int32, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var state = first
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while !states[Int(state)].isFound {
            guard let scalar = RegularPattern.scalar(&decoder, &iterator) else {
                return states[Int(state)].isFoundAtEnd
            }
            state = number(of: targets(from: state, scalar))
        }
        return true
    }

    private func learn(from state: Int32, _ byte: UInt8) -> Int32 {
        let before = states.count
        let found = number(of: targets(from: state, UInt32(byte)))
        // If the states were forgotten, the number of the old one means nothing.
        if states.count >= before { next[Int(state) * Self.characters + Int(byte)] = found }
        return found
    }

    private func targets(from state: Int32, _ scalar: UInt32) -> [Int] {
        states[Int(state)].takes.filter { pattern.takes(scalar, at: $0) }.map { $0 + 1 }.sorted()
    }

    private func number(of steps: [Int]) -> Int32 {
        if let known = numbers[steps] { return known }
        if states.count >= stateLimit {
            states.removeAll(keepingCapacity: true)
            next.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            addFirst()
        }
        let number = Int32(states.count)
        numbers[steps] = number
        add(steps, isStart: false)
        return number
    }

    // The state at the start of a text is never reached again.
    private func addFirst() { add([], isStart: true) }

    private func add(_ steps: [Int], isStart: Bool) {
        let (takes, isFound) = pattern.closure(of: steps, isStart: isStart, isEnd: false)
        let isFoundAtEnd = pattern.closure(of: steps, isStart: isStart, isEnd: true).isFound
        states.append(State(takes: takes, isFound: isFound, isFoundAtEnd: isFoundAtEnd))
        next.append(contentsOf: repeatElement(Self.unknown, count: Self.characters))
    }
}
