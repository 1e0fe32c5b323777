import MachineExamination
import TrafficStore

extension RunFailure {
    /// Makes the failure of a store that cannot be written: status 65 (`EX_DATAERR`) if the file is not a usable store,
    /// 73 (`EX_CANTCREAT`) if it cannot be made.
    init(_ error: StoreError) {
        switch error.code {
        case .notADatabase, .notAWireweightStore, .newerVersion, .corrupt: self.init(error.message, status: 65)
        default: self.init(error.message, status: 73)
        }
    }
}
