import GRDB

extension StoreError {
    /// The store error for an error of SQLite or GRDB; a store error is returned unchanged.
    static func wrapping(_ error: any Error, path: String) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let database = error as? DatabaseError else {
            return StoreError(.failed, "cannot use the store '\(path)': \(error)", cause: error)
        }
        let (code, message) = words(for: database, path: path)
        return StoreError(code, message, cause: error)
    }

    private static func words(for error: DatabaseError, path: String) -> (Code, String) {
        switch error.resultCode {
        case .SQLITE_FULL:
            (.diskFull, "the disk is full; make room for '\(path)' or move the store")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (.busy, "another process keeps '\(path)' locked; try again when it is done")
        case .SQLITE_CORRUPT:
            (.corrupt, "the store '\(path)' is damaged; move it away and meter into a new file")
        case .SQLITE_NOTADB:
            (.notADatabase, "'\(path)' is not a database; name another file")
        case .SQLITE_READONLY:
            (.readOnly, "'\(path)' cannot be written; change its permissions or name another file")
        case .SQLITE_CANTOPEN:
            (.readOnly, "'\(path)' cannot be opened; its folder must be writable, or copy the store to one that is")
        case .SQLITE_PERM, .SQLITE_AUTH:
            (.notPermitted, "'\(path)' may not be used; change its permissions")
        case .SQLITE_IOERR:
            (.ioFailed, "reading or writing '\(path)' failed; check the disk (\(error.message ?? "no details"))")
        default:
            (.failed, "SQLite refused to work on '\(path)': \(error.message ?? "code \(error.resultCode.rawValue)")")
        }
    }
}
