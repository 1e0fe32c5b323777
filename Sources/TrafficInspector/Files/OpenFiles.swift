internal import Locks
internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// The other files of an inspector, opened when they are first asked for.
final class OpenFiles: Sendable {
    /// The most files that a page may give; the oldest goes when another comes.
    static let mostGiven = 8
    /// The largest file that a page may give, in bytes.
    static let largest: Int64 = 4 << 30

    private struct State {
        var open: [String: any TrafficBrowsing] = [:]
        var routers: [String: Router] = [:]
        var given: [GivenFile] = []
        var numbers = 0

        mutating func forget(_ id: String) {
            open[id] = nil
            routers[id] = nil
        }
    }

    private let offered: (any OtherFiles)?
    private let main: (file: OtherFile, reading: any TrafficBrowsing)
    private let state = Mutex(State())

    /// The files beside one.
    init(_ offered: (any OtherFiles)?, beside reading: any TrafficBrowsing, named name: String) {
        self.offered = offered
        main = (OtherFile(id: "main", name: name, kind: .main), reading)
    }

    /// Closes all files, and deletes those that were given.
    func close() {
        let given = state.withLock { state in
            defer { state = State() }
            return state.given
        }
        for file in given { offered?.remove(given: file.path) }
    }

    /// Whether there is a file to compare with.
    var canCompare: Bool {
        state.withLock { $0.given.contains(where: \.isComplete) } || offered?.hasSome ?? false
    }

    /// Whether a person may give files.
    var takesFiles: Bool { offered?.takesFiles ?? false }

    /// The files that can be chosen now.
    var list: [OtherFile] {
        let given = state.withLock { $0.given.filter(\.isComplete).map(\.file) }
        return given.reversed() + (offered?.list() ?? [])
    }

    /// The store of a file.
    ///
    /// - Throws: ``Refusal`` if there is no such file or it cannot be opened.
    func reading(_ id: String) throws -> any TrafficBrowsing {
        if id == main.file.id { return main.reading }
        if let known = state.withLock({ $0.open[id] }) { return known }
        let known = state.withLock { $0.given.first { $0.file.id == id && $0.isComplete } }
        guard let offered, let file = known?.file ?? offered.list().first(where: { $0.id == id }) else {
            throw Refusal(status: 404, code: "notFound", phrase: .file)
        }
        return try open(file) { try known.map { try offered.open(given: $0.path) } ?? offered.open(file) }
    }

    private func open(_ file: OtherFile, _ body: () throws -> any TrafficBrowsing) throws -> any TrafficBrowsing {
        let reading: any TrafficBrowsing
        do {
            reading = try body()
        } catch {
            throw Refusal(
                status: 422, code: "file", phrase: .fileUnreadable, values: ["name": file.name, "reason": "\(error)"])
        }
        state.withLock { $0.open[file.id] = reading }
        return reading
    }

    /// The router that shows a file; it is made once.
    func router(
        of id: String, readers: Readers, _ make: @Sendable (any TrafficBrowsing, String) -> Router
    ) async throws -> Router {
        if let known = state.withLock({ $0.routers[id] }) { return known }
        let reading = try await readers.run { try self.reading(id) }
        let name = list.first { $0.id == id }?.name ?? id
        let made = make(reading, name)
        return state.withLock { state in
            if let known = state.routers[id] { return known }
            state.routers[id] = made
            return made
        }
    }

    /// What can be chosen beside a file, and which of it to compare with.
    ///
    /// - Parameters:
    ///   - reading: the file.
    ///   - id: its identifier if it is not the one for which the inspector was started.
    /// - Returns: the object of `GET files`.
    /// - Throws: errors of the store.
    func json(beside reading: any TrafficBrowsing, _ id: String?) throws -> JSONValue {
        let others = (id == nil ? [] : [main.file]) + list.filter { $0.id != id }
        let previous = id == nil ? try previous(of: reading) : nil
        return .object([
            .init("files", .array(others.map(\.json))),
            .init("previous", previous.map { .string($0.id) } ?? .null),
            .init("canAdd", .bool(takesFiles)),
        ])
    }

    /// The newest earlier run with an API that this store has, too; nil if there is none.
    func previous(of reading: any TrafficBrowsing) throws -> OtherFile? {
        let files = list.filter { $0.kind != .given }
        guard !files.isEmpty else { return nil }
        let own = try Self.apis(of: reading)
        for file in files {
            // A file that cannot be read is none to compare with; choosing it says why.
            guard let before = try? self.reading(file.id) else { continue }
            if try !own.isDisjoint(with: Self.apis(of: before)) { return file }
        }
        return nil
    }

    /// The APIs of a store, as comparisons name them.
    private static func apis(of reading: any TrafficBrowsing) throws -> Set<Budget.API> {
        Set(PortRule.fixed.named(try reading.totals(by: .api, in: .always)).map { Budget.API($0.key) })
    }

    // MARK: files that a person gives

    /// Begins to take a file.
    func take(name: String, size: Int64) throws -> OtherFile {
        guard let offered, offered.takesFiles else { throw Refusal(status: 409, code: "readOnly", phrase: .noFiles) }
        guard size > 0, size <= Self.largest else {
            throw Refusal(status: 413, code: "tooLarge", phrase: .fileTooLarge)
        }
        let number = state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
        let file = OtherFile(id: "given-\(number)", name: name, kind: .given)
        let given: GivenFile
        do {
            given = try GivenFile(file, size: size, path: try offered.place(for: file.id))
        } catch {
            throw Refusal(
                status: 500, code: "file", phrase: .fileUnreadable, values: ["name": name, "reason": "\(error)"])
        }
        let old = state.withLock { state in
            state.given.append(given)
            guard state.given.count > Self.mostGiven else { return nil as GivenFile? }
            let old = state.given.removeFirst()
            state.forget(old.file.id)
            return old
        }
        if let old { offered.remove(given: old.path) }
        return file
    }

    /// Adds bytes to a file, and opens it when it is whole.
    ///
    /// - Returns: the number of bytes that are there.
    /// - Throws: ``Refusal``. Bytes that are not the next ones change nothing; a file that cannot be opened is gone.
    func add(_ bytes: [UInt8], to id: String, at offset: Int64) throws -> Int64 {
        guard let offered, let given = state.withLock({ $0.given.first { $0.file.id == id } }) else {
            throw Refusal(status: 404, code: "notFound", phrase: .file)
        }
        let received = try given.add(bytes, at: offset)
        guard given.isComplete else { return received }
        do {
            _ = try open(given.file) { try offered.open(given: given.path) }
            return received
        } catch {
            state.withLock { state in
                state.given.removeAll { $0.file.id == id }
                state.forget(id)
            }
            offered.remove(given: given.path)
            throw error
        }
    }
}

extension OtherFile {
    var json: JSONValue {
        .object([
            .init("id", .string(id)), .init("name", .string(name)), .init("kind", .string(kind.rawValue)),
            .init("start", .moment(start)),
        ])
    }
}
