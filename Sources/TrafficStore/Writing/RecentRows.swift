/// Which rows the last observed numbers became, in bounded memory.
///
/// A ring: observers count upwards, so a number pushes out the one that is as many before it as the ring has places.
struct RecentRows {
    private static let places = 16_384
    private var keys = [Int64](repeating: .min, count: places)
    private var rows = [Int64](repeating: 0, count: places)

    /// The row of a number; nil where it is unknown or long gone.
    ///
    /// Set, it is remembered.
    subscript(key: Int64) -> Int64? {
        get {
            let place = Self.place(of: key)
            return keys[place] == key ? rows[place] : nil
        }
        set {
            let place = Self.place(of: key)
            keys[place] = newValue == nil ? .min : key
            rows[place] = newValue ?? 0
        }
    }

    private static func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key) & (places - 1) }
}
