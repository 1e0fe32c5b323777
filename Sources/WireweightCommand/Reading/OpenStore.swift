import ArgumentParser
import TrafficModel
import TrafficStore

/// Opens the store at a path for reading, even while another process writes to it.
///
/// - Parameters:
///   - path: the file.
///   - searchesOften: whether many searches may follow, as in an inspector.
/// - Returns: the reader.
/// - Throws: an error whose description says what is wrong with the file.
func openReader(_ path: String, searchesOften: Bool = false) throws -> any TrafficBrowsing {
    try StoreReader.open(path, searchesOften: searchesOften)
}

/// Opens a store and calls a function with it.
///
/// If either fails, the command prints the error on standard error and exits with 65, except for exit codes and
/// validation errors, which it passes on.
func withReader(_ path: String, searchesOften: Bool = false, _ body: (any TrafficBrowsing) throws -> Void) throws {
    do {
        guard Files.exists(path) else {
            throw ReadingFailure(
                "there is no file '\(path)'; check the name, or meter into it with 'wireweight run --db'")
        }
        try body(openReader(path, searchesOften: searchesOften))
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        Terminal.complain("\(error)")
        throw ExitCode.badInput
    }
}
