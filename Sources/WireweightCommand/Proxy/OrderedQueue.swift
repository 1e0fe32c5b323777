/// Elements in order, of which the first is taken.
///
/// What comes in order is added in constant time, on average.
struct OrderedQueue<Element> {
    private var all: [Element] = []
    /// The elements before were taken.
    private var start = 0

    var elements: ArraySlice<Element> { all[start...] }
    var isEmpty: Bool { start == all.count }
    var count: Int { all.count - start }
    var first: Element? { isEmpty ? nil : all[start] }

    mutating func append(_ element: Element) { all.append(element) }

    /// Adds an element after those that come before it.
    mutating func insert(_ element: Element, before isBefore: (Element, Element) -> Bool) {
        var (low, high) = (start, all.count)
        if let last = all.last, !isEmpty, !isBefore(last, element) {
            while low < high {
                let middle = (low + high) / 2
                if isBefore(all[middle], element) { low = middle + 1 } else { high = middle }
            }
            all.insert(element, at: low)
        } else {
            all.append(element)
        }
    }

    mutating func removeFirst() {
        start += 1
        if 2 * start > all.count {
            all.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        all = elements.filter { !isGone($0) }
        start = 0
    }
}

extension OrderedQueue: Sendable where Element: Sendable {}
