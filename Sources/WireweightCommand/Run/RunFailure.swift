import TrafficStore

/// The reason why the program was not started, and the status to exit with.
struct RunFailure: Error {
    let message: String
    /// The exit status: as with `env`, 126 if the program cannot be run and 127 if it is not found; otherwise of
    /// sysexits.
    let status: Int32

    init(_ message: String, status: Int32) {
        self.message = message
        self.status = status
    }

    /// Makes the failure of a store that cannot be written: status 65 (`EX_DATAERR`) if the file is not a usable store,
    /// 73 (`EX_CANTCREAT`) if it cannot be made.
    init(_ error: StoreError) {
        switch error.code {
        case .notADatabase, .notAWireweightStore, .newerVersion, .corrupt: self.init(error.message, status: 65)
        default: self.init(error.message, status: 73)
        }
    }
}
