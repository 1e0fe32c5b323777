import TrafficStore

/// Why the program was not started.
struct RunFailure: Error {
    let message: String
    /// As `env` has it: 126 where it cannot be run, 127 where it is not there; else of sysexits.
    let status: Int32

    init(_ message: String, status: Int32) {
        self.message = message
        self.status = status
    }

    /// A store that cannot be written: 65 where the file is a wrong one (`EX_DATAERR`), 73 where there can be none
    /// (`EX_CANTCREAT`).
    init(_ error: StoreError) {
        switch error.code {
        case .notADatabase, .notAWireweightStore, .newerVersion, .corrupt: self.init(error.message, status: 65)
        default: self.init(error.message, status: 73)
        }
    }
}
