import Foundation
import GRDB
import GRDBSQLite

/// The file of a store: told from other files before anything touches it, and private from its first moment.
struct StoreFile {
    /// The absolute path; SQLite would take a relative one that begins with `file:` for a URI.
    let path: String

    /// The file of that name, wherever the program goes afterwards.
    init(path: String) {
        self.path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Makes the file where there is none, and makes sure that one that is there is a store that can be written.
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

    /// Makes sure that the file is a store.
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

    /// Makes sure that no page of the file is damaged, before anything is written to it.
    ///
    /// A file above ``largestChecked`` is not read through: its pages are looked at when they are used.
    func checkPages() throws {
        guard size <= Self.largestChecked else { return }
        // Where nobody has it open, nothing is left beside it. Somebody may open it meanwhile, so that only a look under
        // locks, and into the log, condemns it.
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
        // Without the right to write, closing the connection does not move a log into the file.
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        return try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "" }
    }

    /// How large a file is read through when it is opened for writing: that takes a tenth of a second at the most.
    static let largestChecked: Int64 = 32 << 20

    /// Whether SQLite can keep its shared memory and its log beside the file.
    var isFolderWritable: Bool { access(folder, W_OK) == 0 }

    /// Whether SQLite can change the file.
    var isWritable: Bool { access(path, W_OK) == 0 && isFolderWritable }

    /// Whether a log lies beside the file: another process has it open, or was killed.
    var hasLog: Bool { access(path + "-wal", F_OK) == 0 }

    /// How many bytes the file has, its log not counted.
    var size: Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The name under which SQLite reads the file alone, without locks or log.
    var immutableURI: String {
        let allowed = CharacterSet(charactersIn: "/").union(.alphanumerics)
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path) + "?immutable=1"
    }

    private var folder: String { (path as NSString).deletingLastPathComponent }

    // The file appears under its name only when its tables are in it: whoever comes second finds a whole store, and a
    // killed process leaves none.
    private func create(replacingEmpty: Bool) throws {
        let draft = "\(path).new-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let descriptor = open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        close(descriptor)
        defer { unlink(draft) }
        do {
            try StoreFile.fill(draft)
        } catch {
            let wrapped = StoreError.wrapping(error, path: path)
            throw StoreError(wrapped.code == .diskFull ? .diskFull : .cannotCreate, wrapped.message, cause: error)
        }
        if replacingEmpty {
            guard rename(draft, path) == 0 else { throw cannotCreate(errno) }
        } else if link(draft, path) != 0, errno != EEXIST {
            // A file system without hard links.
            guard rename(draft, path) == 0 else { throw cannotCreate(errno) }
        }
    }

    private static func fill(_ draft: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: draft, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
        }
        try StoreSchema.migrator.migrate(queue)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    private func cannotCreate(_ code: Int32) -> StoreError {
        let reason = String(cString: strerror(code))
        return StoreError(
            code == ENOSPC ? .diskFull : .cannotCreate,
            "cannot create '\(path)': \(reason); name a file in a folder that can be written")
    }

    // Read through SQLite and not with `open`: closing a descriptor of our own would drop the locks that another
    // connection of this process holds on the file. `immutable` takes no locks, leaves no files and writes nothing. No
    // more than the header is looked at: while the log is being moved into the file, the rest need not fit together.
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

    /// What to say of a file that this version does not know.
    var newerVersion: StoreError {
        StoreError(.newerVersion, "a newer version wrote '\(path)'; update this one, or name another file")
    }
}
