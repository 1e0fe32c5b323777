internal import TrafficModel

extension TrafficDirection {
    /// The number in the columns `direction`; called is 0, which takes no bytes.
    var number: Int64 { self == .called ? 0 : 1 }

    /// The direction of a number in a column.
    init(number: Int64) { self = number == 1 ? .served : .called }

    /// The word for a column `direction`, in SQL.
    static func name(of column: String) -> String { "CASE WHEN \(column) = 1 THEN 'served' ELSE 'called' END" }
}
