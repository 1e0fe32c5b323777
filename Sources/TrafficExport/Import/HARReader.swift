import TextFormats
import TrafficModel

/// Reads a HAR entry by entry.
///
/// It keeps only members that a record has a place for, and each entry only until the next.
package struct HARReader {
    /// Facts from outside the entries.
    package struct Facts: Hashable, Sendable {
        /// The program that wrote the archive; empty if it is not named.
        package var creator = ""
        /// The browser whose traffic the archive holds; empty if it is not named.
        package var browser = ""
        /// The number of entries.
        package var entries = 0
    }

    private let reader: JSONReader

    /// Creates a reader of bytes from a closure, which returns no bytes at the end.
    package init(source: @escaping () throws -> [UInt8]) { reader = JSONReader(source: source) }

    init(limits: JSONReader.Limits, source: @escaping () throws -> [UInt8]) {
        reader = JSONReader(limits: limits, source: source)
    }

    /// Reads the whole archive and discards the entries, so that a bad archive is rejected before any of it is
    /// imported.
    package func check() throws -> Facts { try read { _ in } }

    /// Reads the archive to its end.
    ///
    /// - Parameter take: receives each entry.
    /// - Returns: the facts from outside the entries.
    /// - Throws: ``HARFault``, or what the source throws.
    func read(_ take: (HAREntry) throws -> Void) throws -> Facts {
        var facts = Facts()
        var hasLog = false
        try reader.passByteOrderMark()
        try reader.readObject { name in
            guard name == "log" else { return try reader.pass() }
            hasLog = true
            try readLog(&facts, take)
        }
        guard hasLog else { throw reader.fault("this is JSON but not a HAR: it has no 'log'") }
        try reader.finish()
        return facts
    }

    private func readLog(_ facts: inout Facts, _ take: (HAREntry) throws -> Void) throws {
        var hasEntries = false
        try reader.readObject { name in
            switch name {
            case "version":
                let version = try reader.readText() ?? ""
                guard version.isEmpty || version.hasPrefix("1") else {
                    throw reader.fault("version '\(version.prefix(20))' is not supported; 1.1 and 1.2 are")
                }
            case "creator": facts.creator = try readProgram()
            case "browser": facts.browser = try readProgram()
            case "entries":
                hasEntries = true
                try reader.readArray {
                    facts.entries += 1
                    reader.entry = facts.entries
                    try take(try readEntry())
                }
                reader.entry = nil
            default: try reader.pass()
            }
        }
        guard hasEntries else { throw reader.fault("this is not a HAR: its 'log' has no 'entries'") }
    }

    private func readProgram() throws -> String {
        var result = ""
        try readObjectOrNull { name in
            if name == "name" { result = try reader.readText() ?? "" } else { try reader.pass() }
        }
        return result
    }

    private func readObjectOrNull(_ member: (String) throws -> Void) throws {
        if try reader.kind() == .word { return try reader.pass() }
        try reader.readObject(member)
    }

    // MARK: Entries

    private func readEntry() throws -> HAREntry {
        var entry = HAREntry()
        var hasRequest = false
        try reader.readObject { name in
            switch name {
            case "startedDateTime": entry.startedAt = try readMoment()
            case "time": entry.time = try reader.readNumber()
            case "request":
                hasRequest = true
                try readRequest(&entry)
            case "response": try readResponse(&entry)
            case "timings":
                try readObjectOrNull { name in
                    guard name != "comment" else { return try reader.pass() }
                    guard try reader.kind() == .number, let value = try reader.readNumber() else {
                        return try reader.pass()
                    }
                    if value >= 0 { entry.timings[name] = value }
                }
            case "serverIPAddress": entry.serverAddress = try reader.readText() ?? ""
            case "connection": entry.connection = try reader.readText() ?? ""
            case "_fromCache": entry.isFromCache = try reader.readText().map { !$0.isEmpty } ?? false
            case "_wireweight": entry.own = try readOwn()
            default: try reader.pass()
            }
        }
        guard hasRequest else { throw reader.fault("the entry has no 'request'") }
        guard entry.startedAt != nil else { throw reader.fault("the entry has no 'startedDateTime'") }
        guard !entry.url.isEmpty else { throw reader.fault("the entry's request has no 'url'") }
        return entry
    }

    private func readMoment() throws -> Timestamp {
        let text = try reader.readString() ?? ""
        guard let moment = Timestamp(iso8601: text) else {
            throw reader.fault("'startedDateTime' is '\(text.prefix(40))', which is not a time of ISO 8601")
        }
        return moment
    }

    private func readRequest(_ entry: inout HAREntry) throws {
        try reader.readObject { name in
            switch name {
            case "method": entry.method = try reader.readString() ?? ""
            case "url": entry.url = try reader.readString() ?? ""
            case "postData": try readContent(&entry.request)
            default: try readMember(name, of: &entry.request)
            }
        }
    }

    private func readResponse(_ entry: inout HAREntry) throws {
        try readObjectOrNull { name in
            switch name {
            case "status":
                let status = try reader.readNumber() ?? 0
                guard let whole = Int64(exactly: status), (0...999).contains(whole) else {
                    throw reader.fault("'status' is \(status); it must be from 0 to 999")
                }
                entry.status = whole
            case "statusText": entry.reason = try reader.readText() ?? ""
            case "redirectURL": entry.redirectURL = try reader.readText() ?? ""
            case "content": entry.contentSize = try readContent(&entry.response)
            case "_transferSize": entry.transferSize = try readSize(name)
            case "_error": entry.error = try reader.readText() ?? ""
            default: try readMember(name, of: &entry.response)
            }
        }
    }

    private func readMember(_ name: String, of message: inout HAREntry.Message) throws {
        switch name {
        case "httpVersion": message.httpVersion = try reader.readText() ?? ""
        case "headers": message.headers = try readHeaders()
        case "headersSize": message.headersSize = try readSize(name)
        case "bodySize": message.bodySize = try readSize(name)
        default: try reader.pass()
        }
    }

    private func readHeaders() throws -> [HAREntry.Field] {
        if try reader.kind() == .word {
            try reader.pass()
            return []
        }
        var fields: [HAREntry.Field] = []
        try reader.readArray {
            var field = HAREntry.Field("", "")
            try reader.readObject { name in
                switch name {
                case "name": field.name = try reader.readText() ?? ""
                case "value": field.value = try reader.readText() ?? ""
                default: try reader.pass()
                }
            }
            fields.append(field)
        }
        return fields
    }

    /// Reads a body and returns its decoded size, in bytes.
    @discardableResult
    private func readContent(_ message: inout HAREntry.Message) throws -> Int64? {
        var size: Int64?
        try readObjectOrNull { name in
            switch name {
            case "size": size = try readSize("content.size")
            case "mimeType": message.mimeType = try reader.readText() ?? ""
            case "encoding", "_encoding": message.isBase64 = try reader.readText()?.lowercased() == "base64"
            case "text": message.text = try reader.readString(keepingUpTo: reader.limits.string)
            default: try reader.pass()
            }
        }
        return size
    }

    /// Reads a number of bytes; nil where it is unknown.
    ///
    /// HAR 1.2 writes -1 for that. Playwright writes other negative numbers, too: it subtracts the headers' size from a
    /// transfer's size that the browser does not always know.
    private func readSize(_ name: String) throws -> Int64? {
        guard let value = try reader.readNumber() else { return nil }
        if value < 0, value == value.rounded(), value >= -9_007_199_254_740_992 { return nil }
        // 2^53: above it, a JSON number may not be an exact integer.
        guard value >= 0, value <= 9_007_199_254_740_992, let whole = Int64(exactly: value) else {
            let digits = Int64(exactly: value).map { String($0) } ?? String(value)
            throw reader.fault("'\(name)' is \(digits), which is not a number of bytes; -1 stands for unknown")
        }
        return whole
    }

    private func readOwn() throws -> HAREntry.Own {
        var own = HAREntry.Own()
        try readObjectOrNull { name in
            switch name {
            case "pid": own.pid = try readWhole()
            case "process": own.process = try reader.readText()
            case "request": own.requestParts = try readParts()
            case "response": own.responseParts = try readParts()
            case "outcome": own.outcome = try reader.readText()
            case "errorCode": own.errorCode = try readWhole()
            case "errorDomain": own.errorDomain = try reader.readText()
            case "direction": own.direction = try reader.readText()
            case "reused": own.reused = try reader.readFlag()
            default: try reader.pass()
            }
        }
        return own
    }

    private func readParts() throws -> [String: Int64]? {
        if try reader.kind() == .word {
            try reader.pass()
            return nil
        }
        var parts: [String: Int64] = [:]
        try reader.readObject { name in
            switch name {
            case "startLine", "fields", "cookies", "interim", "body", "framing": parts[name] = try readSize(name)
            default: try reader.pass()
            }
        }
        return parts
    }

    private func readWhole() throws -> Int64? {
        guard try reader.kind() == .number else {
            try reader.pass()
            return nil
        }
        return try reader.readNumber().flatMap { Int64(exactly: $0) }
    }
}
