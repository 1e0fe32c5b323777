import ArgumentParser

/// Why a file could not be read, as a text for people.
struct ReadingFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ExitCode {
    /// The exit status for bad input: `EX_DATAERR` of sysexits.
    static let badInput = ExitCode(65)
    /// The exit status if another program that is needed cannot be run: `EX_UNAVAILABLE` of sysexits.
    static let unavailable = ExitCode(69)
}
