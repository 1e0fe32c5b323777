import Foundation
import GRDB
import GRDBSQLite

/// The file of a store, which is checked to be a store before it is changed, and which only its owner can read from its
/// creation on.
struct StoreFile {
    /// The absolute path; SQLite would take a relative one that begins with `file:` for a URI.
    let path: String

    /// The file with that name; a later change of the working directory does not matter.
    init(path: String) {
        self.path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Creates the file if there is none; otherwise checks that it is a store and can be written.
    func prepareForWriting() throws {
        var status = stat()
        if stat(path, &status) != 0 || status.st_size == 0 {
            try create(replacingEmpty: stat(path, &status) == 0)
        }
        try checkIdentity()
        guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else {
            throw StoreError(
                .readOnly, "'\(path)' cannot be written; change the permissions of the file and of its folder")
        }
    }

    /// Checks that the file is a store and can be read.
    func prepareForReading() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StoreError(.notFound, "there is no file '\(path)'; check the name, or meter something into it first")
        }
        guard access(path, R_OK) == 0 else {
            throw StoreError(.notPermitted, "'\(path)' may not be read; change its permissions")
        }
        try checkIdentity()
    }

    /// Checks that no page of the file is damaged, before anything is written to it.
    ///
    /// Files above ``largestChecked`` are not read completely; SQLite checks their pages when it uses them.
    func checkPages() throws {
        guard size <= Self.largestChecked else { return }
        // If no process has the file open, there is no log, and the file can be checked without locks. Another process
        // may open it meanwhile, so only a check with locks and with the log may find it damaged.
        if !hasLog, (try? finding(at: immutableURI)) == "ok" { return }
        let found: String
        do {
            found = try finding(at: path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            found = error.message ?? ""
        }
        guard found == "ok" else {
            throw StoreError(
                .corrupt,
                "the store '\(path)' is damaged (\(found.split(separator: "\n").last ?? "")); it is left as it is: "
                    + "move it away, or meter into another file")
        }
    }

    private func finding(at path: String) throws -> String {
        var configuration = Configuration()
        // A read-only connection does not move a log into the file when it is closed.
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        return try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "" }
    }

    /// The largest file that is read completely when it is opened for writing; that takes a tenth of a second at most.
    static let largestChecked: Int64 = 32 << 20

    /// Whether SQLite can create its shared memory and its log next to the file.
    var isFolderWritable: Bool { access(folder, W_OK) == 0 }

    /// Whether SQLite can change the file.
    var isWritable: Bool { access(path, W_OK) == 0 && isFolderWritable }

    /// Whether there is a log next to the file: another process has it open, or was killed.
    var hasLog: Bool { access(path + "-wal", F_OK) == 0 }

    /// The size of the file in bytes, without its log.
    var size: Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The URI by which SQLite reads the file alone, without locks and without its log.
    var immutableURI: String {
        let allowed = CharacterSet(charactersIn: "/").union(.alphanumerics)
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path) + "?immutable=1"
    }

    private var folder: String { (path as NSString).deletingLastPathComponent }

    // The file gets its name only when it has its tables. So a second process finds a complete store, and a process
    // that is killed leaves no partial one.
    private func create(replacingEmpty: Bool) throws {
        let draft = "\(path).new-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let descriptor = open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        close(descriptor)
        defer { unlink(draft) }
        do {
            try StoreFile.fill(draft)
            try StoreFile.synchronize(draft)
        } catch {
            let wrapped = StoreError.wrapping(error, path: path)
            throw StoreError(wrapped.code == .diskFull ? .diskFull : .cannotCreate, wrapped.message, cause: error)
        }
        if replacingEmpty {
            guard rename(draft, path) == 0 else { throw cannotCreate(errno) }
        } else if link(draft, path) != 0, errno != EEXIST {
            // The file system has no hard links.
            guard rename(draft, path) == 0 else { throw cannotCreate(errno) }
        }
    }

    private static func fill(_ draft: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: draft, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // A draft is thrown away if anything fails, so it needs no journal.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
        }
        try queue.write(StoreSchema.create)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    // Waits until the file is on the disk.
    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    private func cannotCreate(_ code: Int32) -> StoreError {
        let reason = String(cString: strerror(code))
        return StoreError(
            code == ENOSPC ? .diskFull : .cannotCreate,
            "cannot create '\(path)': \(reason); name a file in a folder that can be written")
    }

    // The header is read through SQLite and not with `open`, because closing a descriptor of our own would drop the
    // locks that another connection of this process holds on the file. `immutable` takes no locks, creates no files and
    // writes nothing. Only the header is read: while the log is being moved into the file, its pages may be
    // inconsistent.
    private func checkIdentity() throws {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(immutableURI, &connection, flags, nil) == SQLITE_OK else {
            throw StoreError(.notPermitted, "'\(path)' cannot be opened; check that it is a file that may be read")
        }
        var header = [UInt8](repeating: 0, count: 100)
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let read = file.pointee.pMethods?.pointee.xRead,
            read(file, &header, Int32(header.count), 0) == SQLITE_OK, header.starts(with: "SQLite format 3\0".utf8)
        else { throw StoreError(.notADatabase, "'\(path)' is not a database; name another file") }
        // https://www.sqlite.org/fileformat2.html#the_database_header
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard number(at: 68) == StoreSchema.applicationID else {
            throw StoreError(
                .notAWireweightStore, "'\(path)' is a database of another application; name another file")
        }
        if number(at: 60) > StoreSchema.version { throw newerVersion }
    }

    /// The error for a file of a version that this one does not know.
    var newerVersion: StoreError {
        StoreError(.newerVersion, "a newer version wrote '\(path)'; update this one, or name another file")
    }
}
