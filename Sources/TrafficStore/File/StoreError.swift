/// Why a store could not be opened, written or read.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for the exit status and for tests.
    package enum Code: String, Sendable, CaseIterable {
        /// There is no file of that name.
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
        /// The store was finished before.
        case closed
        /// Any other failure of SQLite.
        case failed
    }

    /// What kind of failure it is.
    package var code: Code
    /// What is wrong, and what to do about it.
    package var message: String
    /// What was underneath, where there was something.
    package var cause: (any Error)?

    /// A failure of that kind.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }
}
