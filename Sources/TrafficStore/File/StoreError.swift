/// Why a store could not be opened, written or read.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The class of an error, for the exit status and for tests.
    package enum Code: String, Sendable, CaseIterable {
        /// There is no file with that name.
        case notFound
        /// The file is no SQLite database.
        case notADatabase
        /// The file is an SQLite database of another application.
        case notAWireweightStore
        /// A newer version wrote the file.
        case newerVersion
        /// The file or its folder cannot be written.
        case readOnly
        /// The disk is full.
        case diskFull
        /// Another process held the file for too long.
        case busy
        /// The file is damaged.
        case corrupt
        /// The file could not be created.
        case cannotCreate
        /// The file may not be read.
        case notPermitted
        /// The disk or the file system failed.
        case ioFailed
        /// The store was closed before.
        case closed
        /// Any other failure of SQLite.
        case failed
    }

    /// The class of the error.
    package var code: Code
    /// What went wrong, and what the user can do about it.
    package var message: String
    /// The underlying error, if there was one.
    package var cause: (any Error)?

    /// An error of that class.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The same as ``message``.
    package var description: String { message }
}
