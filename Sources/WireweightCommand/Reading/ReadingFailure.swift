import ArgumentParser

/// Why a file could not be read; its text is for people.
struct ReadingFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ExitCode {
    /// The input is bad: `EX_DATAERR` of sysexits.
    static let badInput = ExitCode(65)
}
