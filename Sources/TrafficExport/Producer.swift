/// How files that are written name their writer.
package enum Producer {
    /// The name.
    package static let name = "wireweight"
    /// The version, also of the command.
    package static let version = "0.1.0"
}
