/// The number of an exchange.
///
/// In a store it is the number of the row.
public struct ExchangeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// The exchange of that number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Whether observation of the left exchange began earlier.
    public static func < (left: ExchangeID, right: ExchangeID) -> Bool { left.rawValue < right.rawValue }

    /// The digits.
    public var description: String { String(rawValue) }
}

/// The number of a TCP connection of a metered process.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// The connection of that number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

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
