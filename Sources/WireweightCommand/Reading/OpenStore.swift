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
    guard FleetURL.isMeant(by: path) else {
        do {
            return try StoreReader.open(path, searchesOften: searchesOften)
        } catch let error as StoreError where error.code == .notADatabase && Files.begins(path, with: "{") {
            throw ReadingFailure(
                "'\(path)' is JSON and no store; if it is a HAR, 'wireweight import \(path) --db FILE' makes a store of it"
            )
        }
    }
    return try FleetReader(fleetClient(FleetURL(path)), now: SystemClock.now())
}

/// A client of the database at an address, with the credentials of the environment.
func fleetClient(_ address: FleetURL, limits: ClickHouseClient.Limits = .init()) throws -> ClickHouseClient {
    ClickHouseClient(
        address, credentials: try ClickHouseCredentials(environment: ProcessInfo.processInfo.environment),
        limits: limits)
}

/// Opens a store and calls a function with it.
///
/// - Parameters:
///   - path: the file, or the address of a fleet.
///   - searchesOften: whether many searches may follow, as in an inspector.
///   - showsProgress: whether a line on the terminal says how far it is, until the first output.
///   - body: the work.
/// - Throws: an exit code. If opening or the work fails, the command prints the error on standard error and exits with
///   65; exit codes and validation errors of the work are passed on.
func withReader(
    _ path: String, searchesOften: Bool = false, showsProgress: Bool = false,
    _ body: (any TrafficBrowsing) throws -> Void
) throws {
    defer { WaitingLine.end() }
    do {
        guard mayHaveTraffic(path) else {
            throw ReadingFailure(
                "there is no file '\(path)'; check the name, or meter into it with 'wireweight run --db'")
        }
        let reader = try openReader(path, searchesOften: searchesOften)
        if showsProgress {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            WaitingLine.begin("Reading \(name)") { (reader as? StoreReader)?.shareRead }
        }
        try body(reader)
        if let store = reader as? StoreReader, store.wantsSearchIndex { makeSearchIndex(of: store) }
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        Terminal.complain("\(error)")
        throw ExitCode.badInput
    }
}

/// Makes the search index of a store that was searched without one, so that later searches are faster.
private func makeSearchIndex(of store: StoreReader) {
    WaitingLine.end()
    // Another program may use the terminal: a pager, or what comes after a pipe.
    let progress = ProgressLine(
        "Making the search index, once (Ctrl-C: later)", isWanted: Terminal.isOutput && !Pager.isRunning)
    defer { progress.clear() }
    // The command has done its work, so it ends well in any case.
    try? store.makeSearchIndex { share in
        progress.show("\(Int(share * 100)) %")
        return true
    }
}
