/// The number by which an observer names an exchange in its events.
///
/// It joins the events of one exchange while a process is metered. A store numbers its rows itself, because several
/// processes and runs can share it: that number is a ``StoredExchange/ID``.
public struct ExchangeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// The exchange of that number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// The number in records that were read from a store, which does not keep the numbers of observers.
    public static let notKept = ExchangeID(0)

    /// Whether observation of the left exchange began earlier.
    public static func < (left: ExchangeID, right: ExchangeID) -> Bool { left.rawValue < right.rawValue }

    /// The digits.
    public var description: String { String(rawValue) }
}

/// The number by which an observer names a TCP connection in its events.
///
/// The number of the row in a store is a ``StoredConnection/ID``.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// The connection of that number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// The number in records that were read from a store, which does not keep the numbers of observers.
    public static let notKept = ConnectionID(0)

    /// The digits.
    public var description: String { String(rawValue) }
}

/// The process that an exchange belongs to.
public struct ProcessIdentity: Hashable, Sendable {
    /// The kernel's process number.
    public let pid: Int32
    /// The program's file name, without its folder.
    public let name: String

    /// A process of that number and name.
    public init(pid: Int32, name: String) {
        self.pid = pid
        self.name = name
    }
}
