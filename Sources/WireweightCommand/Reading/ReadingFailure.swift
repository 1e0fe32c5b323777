import ArgumentParser
import TrafficModel

/// Why a file could not be read; its text is for people.
struct ReadingFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ExitCode {
    /// The input is bad: `EX_DATAERR` of sysexits.
    static let badInput = ExitCode(65)
}

/// Opens a store and works with it.
///
/// What goes wrong is said on standard error, and the command exits with 65.
func withReader(_ path: String, _ body: (any TrafficReading) throws -> Void) throws {
    do {
        guard Terminal.fileExists(path) else { throw ReadingFailure("there is no file '\(path)'") }
        try body(openReader(path))
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        Terminal.complain("\(error)")
        throw ExitCode.badInput
    }
}
