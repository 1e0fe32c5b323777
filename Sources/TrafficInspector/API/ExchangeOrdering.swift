internal import TrafficModel

/// The column that a list is sorted by, and the direction.
struct ExchangeOrdering: Hashable, Sendable {
    /// A column of the list.
    enum Column: String, Sendable, CaseIterable {
        case start, duration, up, down, status, method, host, path, type
    }

    let column: Column
    let isDescending: Bool

    /// The order with a name such as `-down`; the newest first if there is no name.
    init(_ text: String?) throws(Refusal) {
        guard let text else {
            column = .start
            isDescending = true
            return
        }
        isDescending = text.hasPrefix("-")
        guard let column = Column(rawValue: String(isDescending ? text.dropFirst() : text[...])) else {
            let known = Column.allCases.map(\.rawValue).joined(separator: ", ")
            throw .wrong(.sort, ["columns": known])
        }
        self.column = column
    }

    /// The value that is compared; exchanges that have none come first in ascending order.
    enum Key: Comparable {
        case nothing
        case number(Int64)
        case text(String)
    }

    func key(_ exchange: StoredExchange) -> Key {
        switch column {
        case .start: .number(exchange.request.startedAt.nanoseconds)
        case .duration: Self.number(exchange.duration)
        case .up: .number(exchange.request.size.known.bytes)
        case .down: Self.number(exchange.response?.size.known.bytes)
        case .status: Self.number(exchange.response.map { Int64($0.status) })
        case .method: .text(exchange.request.method)
        case .host: .text(exchange.request.authority)
        case .path: .text(exchange.request.path)
        case .type: exchange.response.map { .text($0.contentType) } ?? .nothing
        }
    }

    private static func number(_ value: Int64?) -> Key { value.map(Key.number) ?? .nothing }

    /// The exchange numbers in that order; of exchanges with equal keys, the newest comes first.
    func sorted(_ entries: [(key: Key, id: Int64)]) -> [Int64] {
        entries.sorted { left, right in
            if left.key == right.key { return left.id > right.id }
            return isDescending ? left.key > right.key : left.key < right.key
        }.map(\.id)
    }
}
