/// A store that can be copied as a whole.
package protocol TrafficCopying: Sendable {
    /// Writes a copy of the store into a file of its own, with all that is committed and without a log.
    ///
    /// - Parameter path: the file, which only its owner can read; what is there is replaced.
    /// - Throws: errors of the store.
    func copy(to path: String) throws
}
