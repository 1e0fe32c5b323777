/// A connection as a store has it: its record, whose properties are also those of this type, and the number of its row.
@dynamicMemberLookup
public struct StoredConnection: Hashable, Sendable, Identifiable {
    /// The number of a connection in a store.
    ///
    /// It is not the number in the events, which is a ``ConnectionID``.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// The number.
        public let rawValue: Int64

        /// The connection of that number.
        public init(_ rawValue: Int64) { self.rawValue = rawValue }

        /// The digits.
        public var description: String { String(rawValue) }
    }

    /// The number of the connection.
    public var id: ID
    /// The connection; its own number is ``ConnectionID/notKept``.
    public var record: ConnectionRecord

    /// A connection of that record under that number.
    public init(id: ID, record: ConnectionRecord) {
        self.id = id
        self.record = record
    }

    /// A property of the record.
    public subscript<Value>(dynamicMember property: KeyPath<ConnectionRecord, Value>) -> Value {
        record[keyPath: property]
    }

    /// Not available, because a store does not keep the numbers of observers.
    @available(*, unavailable, message: "a store does not keep the observer's number; use 'id'")
    public var connection: ConnectionID { .notKept }
}
