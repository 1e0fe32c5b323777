/// The name and version that Wireweight writes into its files.
package enum Producer {
    /// The program's name.
    package static let name = "wireweight"
    /// The version of the package and of the command.
    package static let version = "0.1.0"
}
