internal import ASCIIBytes
internal import TrafficModel

/// The fields of a request as the loader combines them: the request's own, the session's, cookies, defaults.
struct SentFields {
    /// The lines, without those that depend on target or content, and without the empty line.
    private(set) var lines = Figure(0)
    /// The line of Cookie among them.
    private(set) var cookies = Figure(0)
    /// Whether `Transfer-Encoding` names chunked.
    private(set) var namesChunked = false
    private var names: Set<String> = []

    init(_ shown: ShownRequest, profile: PlatformProfile) {
        // The loader makes a tunnel's request itself, without fields of the application.
        let isTunnel = shown.targetForm == .authority
        if !isTunnel {
            if shown.wantsCookies, !shown.cookies.isEmpty {
                // The storage's cookies replace those that the application set.
                let value = shown.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
                add([ShownField("Cookie", value)], profile)
            }
            add(shown.fields, profile)
            add(shown.additionalFields, profile)
        }
        addDefaults(shown, profile, isTunnel: isTunnel)
    }

    /// Whether a field of that name is sent, or was suppressed by the application with a blank value.
    func names(_ name: String) -> Bool { names.contains(name.lowercasedASCII) }

    private mutating func addDefaults(_ shown: ShownRequest, _ profile: PlatformProfile, isTunnel: Bool) {
        let asksProxy = isTunnel || shown.targetForm == .absolute
        var defaults = isTunnel ? [] : profile.defaultFields
        if asksProxy {
            switch profile.proxyConnection {
            case .added(let value): defaults.append(ShownField("Proxy-Connection", value))
            case .replacing:
                defaults = defaults.map {
                    $0.isNamed("Connection") ? ShownField("Proxy-Connection", $0.value) : $0
                }
            }
        }
        if shown.httpVersion.isBinaryHTTP {
            // RFC 9113, section 8.2.2.
            defaults.removeAll { $0.isNamed("Connection") || $0.isNamed("Proxy-Connection") }
        }
        add(defaults, profile)
    }

    /// Adds the fields whose names were not added yet.
    private mutating func add(_ fields: [ShownField], _ profile: PlatformProfile) {
        // A dictionary can hold two spellings of one name. Its order decides which of them is used.
        var order: [String] = []
        var byName: [String: [Figure]] = [:]
        for field in fields {
            let name = field.name.lowercasedASCII
            if names.contains(name) { continue }
            if byName[name] == nil { order.append(name) }
            byName[name, default: []].append(Self.line(field, profile))
            if name == "transfer-encoding", field.value.lowercasedASCII.contains("chunked") { namesChunked = true }
        }
        for name in order {
            guard var line = byName[name]?.first, let bytes = line.bytes else { continue }
            for other in byName[name] ?? [] {
                let apart = bytes.distanceClamped(to: other.bytes ?? 0)
                line.bound = line.bound.map { max($0, apart) }
                line.usualBound = line.usualBound.map { max($0, apart) }
            }
            names.insert(name)
            lines = lines + line
            if name == "cookie" { cookies = line }
        }
    }

    private static func line(_ field: ShownField, _ profile: PlatformProfile) -> Figure {
        if field.value.isEmpty { return Figure(field.lineSize - 1) }
        if profile.dropsBlankFields, field.value.utf8.allSatisfy(ASCII.isOptionalSpace) { return Figure(0) }
        // The loader may cut, refuse or send a line end or NUL in a value.
        let isPlain = (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isPlain ? Figure(field.lineSize) : Figure(field.lineSize, bound: nil, usualBound: nil)
    }
}
