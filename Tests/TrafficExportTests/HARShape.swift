import Foundation

/// What HTTP Archive 1.2 wants of an archive, and what Chromium's importer does: each violation in words.
///
/// Names that the format does not know must begin with `_`. The same rules as a JSON schema are in
/// `Scripts/integration/har.schema.json`.
struct HARShape {
    private(set) var faults: [String] = []

    init(_ text: String) throws {
        let root = try JSON(text)
        let log = root["log"]
        check(log, "log", ["version": .text, "creator": .object, "entries": .array], ["pages": .array])
        if log["version"].string != "1.2" { faults.append("log.version") }
        check(log["creator"], "creator", ["name": .text, "version": .text], [:])
        for (number, entry) in log["entries"].array.enumerated() { check(entry: entry, "entry \(number)") }
    }

    private enum Kind {
        case text, number, natural, size, phase, array, object, flag
    }

    private mutating func check(entry: JSON, _ place: String) {
        check(
            entry, place,
            [
                "startedDateTime": .text, "time": .natural, "request": .object, "response": .object,
                "cache": .object, "timings": .object,
            ], ["serverIPAddress": .text, "connection": .text])
        if Self.date(entry["startedDateTime"].string ?? "") == nil { faults.append("\(place): startedDateTime") }
        let request = entry["request"]
        check(
            request, "\(place).request",
            [
                "method": .text, "url": .text, "httpVersion": .text, "cookies": .array, "headers": .array,
                "queryString": .array, "headersSize": .size, "bodySize": .size,
            ], ["postData": .object])
        if request["postData"].value != nil {
            check(
                request["postData"], "\(place).postData", ["mimeType": .text, "text": .text], ["comment": .text])
        }
        let response = entry["response"]
        check(
            response, "\(place).response",
            [
                "status": .natural, "statusText": .text, "httpVersion": .text, "cookies": .array,
                "headers": .array, "content": .object, "redirectURL": .text, "headersSize": .size,
                "bodySize": .size,
            ], [:])
        check(
            response["content"], "\(place).content", ["size": .size, "mimeType": .text],
            ["compression": .number, "text": .text, "encoding": .text, "comment": .text])
        for message in [request, response] {
            for field in message["headers"].array + message["queryString"].array {
                check(field, "\(place).pair", ["name": .text, "value": .text], [:])
            }
            for cookie in message["cookies"].array {
                check(
                    cookie, "\(place).cookie", ["name": .text, "value": .text],
                    ["path": .text, "domain": .text, "httpOnly": .flag, "secure": .flag])
            }
        }
        let timings = entry["timings"]
        check(
            timings, "\(place).timings", ["send": .natural, "wait": .natural, "receive": .natural],
            ["blocked": .phase, "dns": .phase, "connect": .phase, "ssl": .phase])
        // The TLS handshake is within the connect phase.
        let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0.0) { sum, name in
            sum + max(0, timings[name].double ?? 0)
        }
        if abs(sum - (entry["time"].double ?? -1)) > 0.0005 { faults.append("\(place): time is not the sum") }
    }

    private mutating func check(
        _ json: JSON, _ place: String, _ required: [String: Kind], _ optional: [String: Kind]
    ) {
        guard let object = json.object else { return faults.append("\(place): no object") }
        for name in required.keys where object[name] == nil { faults.append("\(place): lacks \(name)") }
        for (name, value) in object where !name.hasPrefix("_") {
            guard let kind = required[name] ?? optional[name] else {
                faults.append("\(place): does not know \(name)")
                continue
            }
            if !Self.isOf(kind, JSON(value: value)) { faults.append("\(place).\(name): \(value)") }
        }
    }

    private static func isOf(_ kind: Kind, _ json: JSON) -> Bool {
        switch kind {
        case .text: json.string != nil
        case .array: json.value is [Any]
        case .object: json.object != nil
        case .flag: json.value is Bool
        case .number: json.double != nil
        case .natural: (json.double ?? -1) >= 0
        case .phase: json.double == -1 || (json.double ?? -1) >= 0
        case .size: json.int == -1 || (json.int ?? -1) >= 0
        }
    }

    static func date(_ text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.date(from: text)
    }
}
