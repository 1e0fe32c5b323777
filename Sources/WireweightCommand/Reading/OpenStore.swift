import ArgumentParser
import TrafficModel
import TrafficStore

/// Opens the store at that path for reading, beside a process that may be writing to it.
///
/// - Throws: an error whose description says what is wrong with the file.
func openReader(_ path: String) throws -> any TrafficBrowsing { try StoreReader.open(path) }

/// Opens a store and works with it.
///
/// What goes wrong is said on standard error, and the command exits with 65.
func withReader(_ path: String, _ body: (any TrafficBrowsing) throws -> Void) throws {
    do {
        guard Files.exists(path) else { throw ReadingFailure("there is no file '\(path)'") }
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
