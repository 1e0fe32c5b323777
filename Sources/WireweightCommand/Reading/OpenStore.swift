import ArgumentParser
import ClickHouse
import Clocks
import FleetReading
import Foundation
import TrafficModel
import TrafficStore

/// Whether there may be traffic at a place: a file that exists, or a fleet's address.
func mayHaveTraffic(_ place: String) -> Bool { FleetURL.isMeant(by: place) || Files.exists(place) }

/// Opens the store at a path for reading, even while another process writes to it, or the fleet at an address.
///
/// - Parameters:
///   - path: the file, or the address.
///   - searchesOften: whether many searches may follow, as in an inspector.
/// - Returns: the reader.
/// - Throws: an error whose description says what is wrong with the file or the fleet.
func openReader(_ path: String, searchesOften: Bool = false) throws -> any TrafficBrowsing {
    guard FleetURL.isMeant(by: path) else { return try StoreReader.open(path, searchesOften: searchesOften) }
    return try FleetReader(fleetClient(FleetURL(path)), now: SystemClock.now())
}

/// A client of the database at an address, with the credentials of the environment.
func fleetClient(_ address: FleetURL) throws -> ClickHouseClient {
    ClickHouseClient(
        address, credentials: try ClickHouseCredentials(environment: ProcessInfo.processInfo.environment))
}

/// Opens a store and calls a function with it.
///
/// If either fails, the command prints the error on standard error and exits with 65, except for exit codes and
/// validation errors, which it passes on.
func withReader(_ path: String, searchesOften: Bool = false, _ body: (any TrafficBrowsing) throws -> Void) throws {
    do {
        guard mayHaveTraffic(path) else {
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
