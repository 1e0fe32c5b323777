internal import Foundation
internal import TrafficOrigin
internal import WireweightTesting

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// All kinds of request, in the order of the report.
enum Kinds {
    static let all = responses + codings + requests + journeys + faults

    /// The kind whose name is the second part of a path; nil if there is none.
    static func kind(of path: String) -> Kind? {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? byName[String(parts[1])] : nil
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    static let text = Script.respond(fields: ["Content-Type: text/plain"], body: .text("hello"))
    /// Responds with what came, so that an upload is compared both ways.
    static let echo = Script([.then { .respond(body: .text("got \($0.bodyCount)")) }])
    static let pattern = Script.pattern(count: 10_007)

    static let responses: [Kind] = [
        Kind("get", text) { [await $0.call($0.request())] },
        Kind("get-shared", text, usesShared: true) { [await $0.call($0.request(), in: .shared)] },
        Kind("get-delegate", text) { caller in
            [await caller.delegated { $0.dataTask(with: caller.request()) }]
        },
        Kind("get-query", text) { [await $0.call($0.request("/items?q=a%20b&n=%C3%A4"))] },
        Kind("get-fields", text) {
            [
                await $0.call(
                    $0.request(fields: ["X-Long": String(repeating: "v", count: 3_000), "Accept": "text/html"]))
            ]
        },
        Kind("chunked", .respond(body: .chunked(pattern, sizes: [1, 2, 3, 500, 4_096]))) {
            [await $0.call($0.request())]
        },
        Kind("chunked-delegate", .respond(body: .chunked(pattern, sizes: [1, 2, 3, 500, 4_096]))) { caller in
            [await caller.delegated { $0.dataTask(with: caller.request()) }]
        },
        Kind("until-close", .respond(body: .untilClose(pattern))) { [await $0.call($0.request())] },
        Kind("empty", .respond(body: .sized([]))) { [await $0.call($0.request())] },
        Kind("no-content", .respond("204 No Content")) { [await $0.call($0.request())] },
        Kind("head", .respond(body: .lengthOnly(12_345))) { [await $0.call($0.request(method: "HEAD"))] },
        Kind("not-modified", .respond("304 Not Modified", fields: ["ETag: \"a\""])) {
            [await $0.call($0.request(fields: ["If-None-Match": "\"a\""]))]
        },
        Kind("not-found", .respond("404 Not Found", body: .text("no"))) { [await $0.call($0.request())] },
        Kind("large", .respond(body: .fill(3_000_000))) { caller in
            [await caller.delegated { $0.dataTask(with: caller.request()) }]
        },
        Kind("download", .respond(body: .fill(300_000))) { [await $0.download($0.request())] },
        Kind("early-hints", .interim("103 Early Hints", fields: ["Link: </a.css>; rel=preload"]) + text) {
            [await $0.call($0.request())]
        },
        Kind("many-fields", .respond(fields: (0..<60).map { "X-Field-\($0): value \($0)" }, body: .text("ok"))) {
            [await $0.call($0.request())]
        },
        Kind("folded-spaces", .respond(fields: ["X-Padded:    value"], body: .text("ok"))) {
            [await $0.call($0.request())]
        },
    ]

    static let codings: [Kind] = [CodedContent.gzip, .deflate].flatMap { coding in
        let fields = ["Content-Type: application/json", "Content-Encoding: \(coding.rawValue)"]
        return [
            Kind(coding.rawValue, .respond(fields: fields, body: .sized(coding.bytes))) {
                [await $0.call($0.request())]
            },
            Kind("\(coding.rawValue)-chunked", .respond(fields: fields, body: .chunked(coding.bytes, sizes: [10, 20])))
            {
                [await $0.call($0.request())]
            },
        ]
    }
}
