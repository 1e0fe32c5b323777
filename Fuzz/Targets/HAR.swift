import TextFormats
import TrafficExport
import TrafficModel

extension FuzzTarget {
    /// The import of HTTP archives (HAR).
    static let har = FuzzTarget(
        name: "har",
        seeds: {
            let entry = """
                {"startedDateTime":"2026-01-02T03:04:05.678+01:00","time":12.5,"serverIPAddress":"::1","connection":"7",\
                "request":{"method":"POST","url":"https://u:p@h:8443/a?b=c","httpVersion":"h2","headers":[{"name":"Cookie",\
                "value":"a=b"},{"name":":path","value":"/a"}],"headersSize":40,"bodySize":3,"postData":{"mimeType":"text/plain",\
                "text":"abc"}},"response":{"status":302,"statusText":"Found","httpVersion":"HTTP/1.1","headers":[{"name":"Set-Cookie",\
                "value":"a=b\\nc=d"}],"redirectURL":"/d","headersSize":-1,"bodySize":2,"_transferSize":99,"content":{"size":4,\
                "mimeType":"text/html; charset=x","encoding":"base64","text":"YWJjZA=="}},"timings":{"blocked":1,"dns":-1,"connect":2,\
                "ssl":1,"send":0,"wait":3,"receive":4},"cache":{},"_wireweight":{"pid":1,"process":"p","reused":true,"outcome":"failed",\
                "errorCode":7,"request":{"startLine":9,"fields":1,"cookies":0,"interim":0,"body":3,"framing":null},"response":null}}
                """
            let second = """
                {"startedDateTime":"2026-01-02T03:04:06Z","time":1,"request":{"method":"GET","url":"wss://h/d"},\
                "response":{"status":200,"content":{"text":"\\u00e9\\ud83d\\ude00"}},"timings":{}}
                """
            return [
                "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"c\",\"version\":\"1\"},\"entries\":[\(entry),\(second)]}}",
                "{\"log\":{\"browser\":{\"name\":\"b\"},\"pages\":[{\"a\":[1,2e3,-0.5,true,null]}],\"entries\":[\(second)]}}",
                "\u{FEFF}{\"log\":{\"entries\":[]}}", "{\"log\":{\"entries\":[{}]}}", "[[[[",
                "{\"log\":{\"version\":\"2\"}}", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let outcome = try splits.sameForAll(Imported.init)
            var ends: Set<ExchangeID> = []
            for event in outcome.events {
                switch event {
                case .request(let record): try checkLines(record.fields, record.method)
                case .response(let record): try checkLines(record.fields, record.reason)
                case .end(let end):
                    try mustHold(ends.insert(end.exchange).inserted, "exchange \(end.exchange) ends twice")
                default: break
                }
            }
            if outcome.fault == nil { try mustHold(ends.count == outcome.exchanges, "an exchange has no end") }
        })

    private static func checkLines(_ fields: FieldSection, _ words: String) throws {
        try mustHold(!words.utf8.contains { $0 == 10 || $0 == 13 }, "a start line of several lines")
        try mustHold(fields.bytes.isEmpty || fields.bytes.suffix(2) == [13, 10], "fields without an end")
    }
}

/// The results of reading an archive.
private struct Imported: Equatable {
    var facts: HARReader.Facts?
    var fault: String?
    var exchanges = 0
    var events: [TrafficEvent] = []

    init(_ pieces: [[UInt8]]) throws {
        do {
            let facts = try HARReader(source: source(pieces)).check()
            self.facts = facts
            var archive = HARImport(facts)
            archive.bodyLimit = 64
            var events: [TrafficEvent] = []
            exchanges = try archive.run(HARReader(source: source(pieces))) { events += $0 }.exchanges
            self.events = events
        } catch let error as JSONFault {
            fault = "\(error)"
        }
        // An archive that passes the check must also be imported.
        if facts != nil { try mustHold(fault == nil, "read once, and then refused: \(fault ?? "")") }
    }
}
