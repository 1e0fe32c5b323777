/// The reason why the program was not started, and the status to exit with.
package struct RunFailure: Error {
    package let message: String
    /// The exit status: as with `env`, 126 if the program cannot be run and 127 if it is not found; otherwise of
    /// sysexits.
    package let status: Int32

    package init(_ message: String, status: Int32) {
        self.message = message
        self.status = status
    }
}
