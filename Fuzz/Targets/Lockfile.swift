import TextFormats
import TrafficReports

extension FuzzTarget {
    /// The parser of budget lockfiles.
    static let lockfile = FuzzTarget(
        name: "lockfile",
        seeds: {
            let parts = "{\"startLine\": 1, \"fields\": 9, \"cookies\": 2, \"interim\": 0, \"body\": 5, \"framing\": 3}"
            let api = """
                {"method": "GET", "host": "h", "template": "/users/{id}", "requests": 3, "up": \(parts), "down": \(parts)
                """
            return [
                "{\"version\": 2, \"tolerance\": \"5%\", \"apis\": [\(api), \"tolerance\": \"2.5%\", \"callP95\": 7, \"exact\": false}]}",
                "{\"version\": 1, \"tolerance\": \"0%\", \"apis\": [\(api), \"exact\": true}]}",
                "{\"version\": 1, \"tolerance\": \"2 %\", \"apis\": []}", "{\"version\": 2}",
                "{\"version\": 1.5}", "",
            ].map { Array($0.utf8) }
        },
        run: { input in
            let lockfile: Lockfile
            do {
                lockfile = try Lockfile(text: input)
            } catch let fault as JSONFault {
                return try mustHold(fault.line >= 1, "a fault in line \(fault.line)")
            }
            let text = lockfile.text
            let again = try? Lockfile(text: Array(text.utf8))
            try mustHold(again == lockfile, "what was read is written as\n\(text)")
        })
}
