/// The accounts of connections by their ends.
///
/// The accounts are in an array, so that a property of one can be read and changed in place: an account is large, and
/// reading a dictionary's value copies it. A place is valid until the next account is removed.
struct AccountTable {
    typealias Place = Int

    private var places: [ConnectionEnds: Place] = [:]
    /// The accounts, by place.
    var values: [ConnectionAccount] = []
    /// The ends of each account, by place.
    private(set) var keys: [ConnectionEnds] = []

    var count: Int { values.count }

    /// The place of the account with these ends; nil if there is none.
    func index(forKey ends: ConnectionEnds) -> Place? { places[ends] }

    /// The account with these ends; setting nil removes it.
    subscript(ends: ConnectionEnds) -> ConnectionAccount? {
        get { places[ends].map { values[$0] } }
        set {
            switch (places[ends], newValue) {
            case (let place?, let account?): values[place] = account
            case (nil, let account?):
                places[ends] = values.count
                values.append(account)
                keys.append(ends)
            case (let place?, nil): remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// Removes an account; the last one takes its place.
    private mutating func remove(at place: Place) {
        places[keys[place]] = nil
        let last = values.removeLast()
        let lastEnds = keys.removeLast()
        guard place < values.count else { return }
        values[place] = last
        keys[place] = lastEnds
        places[lastEnds] = place
    }
}
