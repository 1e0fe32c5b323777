internal import Foundation
internal import TrafficOrigin

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Kinds {
    private static let half = Data(Script.pattern(count: 500))
    private static let megabyte = Data(Script.pattern(count: 1_000_000))

    static let requests: [Kind] = [
        Kind("post", echo) { [await $0.call($0.request(method: "POST", body: half))] },
        Kind("post-empty", echo) { [await $0.call($0.request(method: "POST"))] },
        Kind("post-typed", echo) {
            [
                await $0.call(
                    $0.request(method: "POST", fields: ["Content-Type": "application/json"], body: Data("{}".utf8)))
            ]
        },
        Kind("put", echo) { [await $0.call($0.request(method: "PUT", body: half))] },
        Kind("patch", echo) { [await $0.call($0.request(method: "PATCH", body: half))] },
        Kind("delete", text) { [await $0.call($0.request(method: "DELETE"))] },
        Kind("options", .respond("204 No Content", fields: ["Allow: GET"])) {
            [await $0.call($0.request(method: "OPTIONS"))]
        },
        Kind("upload-data", echo) { [await $0.upload($0.request(method: "POST"), megabyte)] },
        Kind("upload-file", echo) { caller in
            [
                await caller.withFile(megabyte) { file in
                    await caller.delegated { $0.uploadTask(with: caller.request(method: "PUT"), fromFile: file) }
                }
            ]
        },
        Kind(
            "upload-stream",
            // A client that expects an interim response waits for one.
            answering: { $0.value(of: "Expect") == nil ? echo : .interim("100 Continue") + echo },
            { caller in
                caller.delegate.give(megabyte)
                return [
                    await caller.delegated { $0.uploadTask(withStreamedRequest: caller.request(method: "POST")) }
                ]
            }),
        Kind("upload-expecting", .interim("100 Continue") + echo) {
            [await $0.call($0.request(method: "POST", fields: ["Expect": "100-continue"], body: half))]
        },
    ]

    /// Redirects the kind's own path to where it says, and answers anything below it.
    private static func redirect(
        _ name: String, _ status: String, method: String = "GET", body: Data? = nil,
        to location: @escaping @Sendable (OriginRequest) -> String = { "\($0.path)/next" }
    ) -> Kind {
        Kind(
            name,
            answering: { request in
                request.path.split(separator: "/").count > 2
                    ? echo : .respond(status, fields: ["Location: \(location(request))"], body: .text("moved"))
            },
            { [await $0.call($0.request(method: method, body: body))] })
    }

    static let journeys: [Kind] = [
        redirect("redirect-301", "301 Moved Permanently"), redirect("redirect-302", "302 Found"),
        redirect("redirect-303-post", "303 See Other", method: "POST", body: half),
        redirect("redirect-307-post", "307 Temporary Redirect", method: "POST", body: half),
        redirect("redirect-308-post", "308 Permanent Redirect", method: "POST", body: half),
        redirect("redirect-other-host", "302 Found") { request in
            let port = request.value(of: "Host")?.split(separator: ":").last ?? ""
            return "http://localhost:\(port)\(request.path)/next"
        },
        Kind(
            "redirect-chain",
            answering: { request in
                let number = Int(request.path.split(separator: "/").last ?? "") ?? 0
                let base = "/" + request.path.split(separator: "/").prefix(2).joined(separator: "/")
                return number == 3
                    ? text : .respond("302 Found", fields: ["Location: \(base)/\(number + 1)"], body: .sized([]))
            }, { [await $0.call($0.request())] }),
        Kind(
            "challenge",
            answering: { request in
                request.value(of: "Authorization") != nil
                    ? text
                    : .respond(
                        "401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"proof\""], body: .text("who?"))
            },
            { caller in
                caller.delegate.answer(password: "secret")
                return [await caller.delegated { $0.dataTask(with: caller.request()) }]
            }),
        Kind(
            "cookies",
            answering: { _ in
                .respond(fields: ["Set-Cookie: a=1; Path=/", "Set-Cookie: b=two; Path=/"], body: .text("ok"))
            }, { [await $0.call($0.request()), await $0.call($0.request("/again"))] }),
        Kind("reused", text) { caller in
            var results: [CallResult] = []
            for number in 0..<3 { results.append(await caller.call(caller.request("/\(number)"))) }
            return results
        },
        Kind("parallel", text) { caller in
            await withTaskGroup(of: CallResult.self) { group in
                for number in 0..<6 { group.addTask { await caller.call(caller.request("/\(number)")) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        },
        Kind("cached", .respond(fields: ["Cache-Control: max-age=600"], body: .text("kept"))) { caller in
            let session = caller.session { $0.requestCachePolicy = .useProtocolCachePolicy }
            defer { session.finishTasksAndInvalidate() }
            return [
                await caller.call(caller.request(), in: session), await caller.call(caller.request(), in: session),
            ]
        },
        Kind("session-fields", text) { caller in
            let session = caller.session { $0.httpAdditionalHeaders = ["X-App": "proof", "User-Agent": "proof/1"] }
            defer { session.finishTasksAndInvalidate() }
            return [await caller.call(caller.request(), in: session)]
        },
    ]

    static let faults: [Kind] = [
        Kind("cut-body", .respond(body: .truncated(Script.pattern(count: 5_000), promised: 20_000)), cut: .cut) {
            [await $0.call($0.request())]
        },
        Kind("closed", Script.close) { [await $0.call($0.request())] },
        Kind("reset", Script.respond(body: .lengthOnly(20_000)) + .reset, cut: .cut) {
            [await $0.call($0.request())]
        },
        Kind("refused", text) { caller in
            var request = caller.request()
            request.url = URL(string: "http://127.0.0.1:\(caller.closedPort)/refused")
            return [await caller.call(request)]
        },
        Kind("timeout", Script.hold) { caller in
            var request = caller.request()
            request.timeoutInterval = 1
            return [await caller.call(request)]
        },
        Kind("cancelled", Script.respond(body: .lengthOnly(50_000)) + Script([.fill(count: 10_000)]) + .hold, cut: .cut)
        {
            caller in
            caller.delegate.cancelAtContent()
            return [await caller.delegated { $0.dataTask(with: caller.request()) }]
        },
    ]
}
