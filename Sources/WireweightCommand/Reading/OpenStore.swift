import TrafficModel
import TrafficStore

/// Opens the store at that path for reading, beside a process that may be writing to it.
///
/// - Throws: an error whose description says what is wrong with the file.
func openReader(_ path: String) throws -> any TrafficReading { try StoreReader.open(path) }
