/// What is wrong with the address of a collector, or with the header fields for it.
package struct CollectorError: Error, Hashable, CustomStringConvertible {
    /// What a person reads, without the address or the fields, which may have a secret.
    package let description: String

    init(_ description: String) { self.description = description }
}
