internal import TextFormats
internal import TrafficModel
internal import TrafficAudit
internal import TrafficReports

/// Finds the response to a request.
struct Router: Sendable {
    let reading: any TrafficBrowsing
    let control: (any RecordingControl)?
    let options: Inspector.Options
    let access: AccessRules
    let readers = Readers()
    let views: ExchangeViews
    let feed: ChangeFeed
    let audits: AuditCache
    let files: OpenFiles
    let marks: Marks

    init(
        _ reading: any TrafficBrowsing, control: (any RecordingControl)?, options: Inspector.Options,
        access: AccessRules, files: OpenFiles? = nil
    ) {
        let files = files ?? OpenFiles(options.files, beside: reading, named: options.name)
        self.files = files
        self.reading = reading
        self.control = control
        self.options = options
        self.access = access
        views = ExchangeViews(reading)
        audits = AuditCache(reading, readers)
        let marks = Marks(reading, file: options.file)
        self.marks = marks
        feed = ChangeFeed(
            StoreChanges(reading: reading, readers: readers) {
                try Overview(
                    reading: reading, control: control, options: options, marks: marks.revision, files: files
                ).json
            })
    }

    /// The response to any request, including refused ones.
    func answer(_ request: Request) async -> Response {
        do {
            try access.check(request)
            guard request.segments.first == "api" else { return try page(request) }
            guard request.segments.count > 2, request.segments[1] == "v1" else { throw Refusal.notFound }
            return try await shown(by: request).respond(to: request).coded(for: request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch {
            // Callers may see the store's error, because they run the program or have its token.
            return Refusal(status: 500, code: "store", phrase: .store, values: ["reason": "\(error)"]).response
        }
    }

    /// The router of the file that a request names; this one if it names none.
    private func shown(by request: Request) async throws -> Router {
        guard let id = request.item("file") else { return self }
        return try await files.router(of: id, readers: readers) { reading, name in
            var options = Inspector.Options()
            options.name = name
            return Router(reading, control: nil, options: options, access: access, files: files)
        }
    }

    private func respond(to request: Request) async throws -> Response {
        let path = Array(request.segments.dropFirst(2))
        do {
            return request.method == "POST" ? try await change(path, request) : try await read(path, request)
        } catch let several as SeveralInstallations {
            let one = several.some.first.map { "installation=\($0)" } ?? ""
            throw Refusal(
                status: 409, code: "installations", phrase: .installations,
                values: ["count": "\(several.count)", "one": one])
        }
    }

    // MARK: the page

    private func page(_ request: Request) throws -> Response {
        guard request.method != "POST" else { throw Refusal.notFound }
        if access.token != nil, let token = request.item("token"), request.segments.isEmpty {
            // Removes the token from the address, so that it is in no browser history and no screenshot.
            return Response(
                303, type: "text/plain; charset=utf-8", [],
                fields: [
                    ("Location", "/"),
                    ("Set-Cookie", "\(AccessRules.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"),
                ])
        }
        let name = request.segments.joined(separator: "/")
        guard let asset = PageAssets.all[name.isEmpty ? "index.html" : name] else { throw Refusal.notFound }
        return asset.response(to: request)
    }

    // MARK: reading

    private func read(_ path: [String], _ request: Request) async throws -> Response {
        switch (path[0], path.count) {
        case ("overview", 1): return .json(try await overview())
        case ("exchanges", 1): return .json(try await exchanges(request))
        case ("exchanges", 2...): return try await exchange(path, request)
        case ("apis", 1):
            let table = try GroupTable(request)
            return .json(try await readers.run { try table.json(reading) })
        case ("sums", 1):
            let sums = FilteredSums(filter: try await filter(of: request))
            return .json(try await readers.run { try sums.json(reading) })
        case ("limits", 1): return .json(try await readers.run { [reading] in try APILimits.json(reading) })
        case ("connections", 1):
            let list = ConnectionList(
                after: try request.item("cursor").map { text throws(Refusal) in
                    guard let offset = Int(text), offset >= 0 else {
                        throw .wrong(.cursor)
                    }
                    return offset
                }, limit: Int(try request.number("limit", in: 1...500) ?? 100),
                direction: try request.direction)
            return .json(try await readers.run { try list.json(reading) })
        case ("timeline", 1):
            let timeline = try Timeline(request, try await filter(of: request))
            return .json(try await readers.run { try timeline.json(reading) })
        case ("compare", 1):
            if let pair = try APIPair(request) { return .json(try await readers.run { try pair.json(reading) }) }
            let comparison = try Comparison(request, files)
            return .json(try await readers.run { try comparison.json(reading, files) })
        case ("files", 1): return .json(try await readers.run { try files.json(beside: reading, request.item("file")) })
        case ("audit", 1):
            let range = try request.range
            if range == .always { return .json(try await audits.audit().audit.jsonValue) }
            return .json(try await readers.run { try Audit(of: reading, in: range).jsonValue })
        case ("report", 1):
            return try await Saving(reading: reading, readers: readers)
                .page(request, try await filter(of: request), named: options.name)
        case ("export", 1):
            return try Saving(reading: reading, readers: readers).export(request, try await filter(of: request))
        case ("store", 1): return try await Saving(reading: reading, readers: readers).store()
        case ("events", 1): return try await events(request)
        case ("marks", 1): return .json(try await readers.run { [marks] in try marks.json })
        default: throw Refusal.notFound
        }
    }

    private func overview() async throws -> JSONValue {
        let overview = Overview(
            reading: reading, control: control, options: options, marks: marks.revision, files: files)
        return try await readers.run { try overview.json }
    }

    /// The filter that a request describes.
    private func filter(of request: Request) async throws -> ExchangeFilter {
        var filter = try request.exchangeFilter
        if request.item("marked") == "1" {
            filter.expression.terms.append(try await readers.run { [marks] in try marks.term })
        }
        return filter
    }

    private func exchanges(_ request: Request) async throws -> JSONValue {
        let limit = Int(try request.number("limit", in: 1...500) ?? 100)
        if let cursor = request.item("cursor") {
            return try await readers.run { try views.page(at: cursor, limit: limit) }
        }
        let wanted = try request.number("id", in: 1...Int64.max)
        let within = try request.number("within", in: 1...10_000).map { Duration.milliseconds($0) }
        if let view = request.item("more") {
            return try await readers.run {
                try views.more(of: view, limit: limit, placing: wanted, for: within ?? .seconds(10))
            }
        }
        let filter = try await filter(of: request)
        let order = try ExchangeOrdering(request.item("sort"))
        return try await readers.run {
            try views.page(matching: filter, by: order, limit: limit, placing: wanted, for: within)
        }
    }

    private func exchange(_ path: [String], _ request: Request) async throws -> Response {
        let missing = Refusal(status: 404, code: "notFound", phrase: .exchange, values: ["number": path[1]])
        guard let number = Int64(path[1]), number > 0 else { throw missing }
        if path.count == 2 { return .json(try await detail(StoredExchange.ID(number), or: missing)) }
        guard let exchange = try await readers.run({ try reading.exchange(StoredExchange.ID(number)) }) else {
            throw missing
        }
        if path.count == 3, path[2] == "har" {
            return try await Saving(reading: reading, readers: readers).har(of: exchange.id)
        }
        if path.count == 3, path[2] == "repeats" {
            return .json(try await readers.run { [reading] in try HeaderRepeats(exchange: exchange).json(reading) })
        }
        if path.count == 4, path[2] == "bodies" { return try ExchangeDetail(exchange).body(path[3], request) }
        throw Refusal.notFound
    }

    private func detail(_ id: StoredExchange.ID, or missing: Refusal) async throws -> JSONValue {
        @Sendable func json(_ audit: KnownAudit) throws -> JSONValue {
            guard let exchange = try reading.exchange(id) else { throw missing }
            return try ExchangeDetail(exchange).json(reading, findings: audit.findings(about: exchange.request))
        }
        // The audit is usually cached; then one read of the store does it all.
        if let known = try await readers.run({ try audits.known.map(json) }) { return known }
        let audit = try await audits.audit()
        return try await readers.run { try json(audit) }
    }

    private func events(_ request: Request) async throws -> Response {
        // `EPOCH-NUMBER`, the identifier of a message.
        let known = request.fields.firstValue(of: "Last-Event-ID")?.split(separator: "-") ?? []
        let isOurs = known.count == 2 && known[0] == "\(feed.epoch)"
        return await EventStream(
            feed: feed, last: isOurs ? UInt64(known[1]) : nil, isReturning: !known.isEmpty
        ).response
    }

    // MARK: changing

    private func change(_ path: [String], _ request: Request) async throws -> Response {
        if path[0] == "files", path.count < 3 { return try await give(path, request) }
        if path == ["marks"] {
            let change = try Marks.Change(request.body)
            let changed = try await readers.run { [marks] in try marks.change(change) }
            await feed.sendStatus(isUrgent: true)
            return .json(changed)
        }
        if path == ["devices"] {
            guard let device = request.item("admit"), options.devices?.admit(device) == true else {
                throw Refusal(status: 409, code: "device", phrase: .device)
            }
            await feed.sendStatus(isUrgent: true)
            return .json(try await overview())
        }
        guard path.count == 1, ["pause", "resume", "clear"].contains(path[0]) else {
            throw Refusal(
                status: 405, code: "method", phrase: .readOnlyAddress, fields: [("Allow", "GET, HEAD")])
        }
        guard let control else {
            throw Refusal(status: 409, code: "readOnly", phrase: .readOnly)
        }
        switch path[0] {
        case "pause": await control.pause()
        case "resume": await control.resume()
        default:
            let said = String(decoding: request.body.filter { $0 != 0x20 && $0 != 10 }, as: UTF8.self)
            guard said == #"{"confirm":true}"# else {
                throw Refusal.wrong(.confirm)
            }
            try await control.clear()
        }
        await feed.sendStatus(isUrgent: true)
        return .json(try await overview())
    }

    /// Takes a file that a person gives: first its name and size, then its pieces.
    private func give(_ path: [String], _ request: Request) async throws -> Response {
        if path.count == 1 {
            guard let size = try request.number("size", in: 1...Int64.max), let name = request.item("name") else {
                throw Refusal.wrong(.wholeNumber, ["name": "size", "least": "1", "most": "\(OpenFiles.largest)"])
            }
            return .json(try await readers.run { try files.take(name: name, size: size).json })
        }
        let offset = try request.number("offset", in: 0...Int64.max) ?? 0
        // The last piece makes a store of an archive, which may take long.
        let received = try await readers.alone { try files.add(request.body, to: path[1], at: offset) }
        return .json(.object([.init("received", .integer(received))]))
    }
}
