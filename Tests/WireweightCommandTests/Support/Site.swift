import Foundation
import WireweightTesting

/// The server that the programs under test talk to.
enum Site {
    static func makeOrigin() throws -> LoopbackOrigin {
        let origin = LoopbackOrigin(handler: answer)
        try origin.start()
        return origin
    }

    private static func answerToClose(_ date: String) -> Script {
        .respond(version: "HTTP/1.0", fields: [date], body: .untilClose(Script.pattern(count: 999)))
    }

    /// Answers a path of the form `/NAME/ARGUMENT`.
    static func answer(_ request: OriginRequest) -> Script {
        if request.path.hasPrefix("/surplus/") {
            // More than a response to HEAD may have.
            let count = Int(request.path.dropFirst("/surplus/".count)) ?? 0
            let head = Script.head("200 OK", fields: ["Content-Length: \(count)"])
            return Script([.write(head), .fill(count: count)])
        }
        if request.method == "HEAD" { return .respond(body: .lengthOnly(13)) }
        let words = request.path.split(separator: "/").map(String.init)
        let argument = words.count > 1 ? words[1] : ""
        let number = Int(argument) ?? 0
        let date = "Date: Thu, 01 Jan 2026 00:00:00 GMT"
        switch words.first {
        case "redirect":
            let next = number > 1 ? "/redirect/\(number - 1)" : "/hello/end"
            return .respond("302 Found", fields: [date, "Location: \(next)"], body: .text("elsewhere"))
        case "coded":
            let coding = CodedContent(rawValue: argument) ?? .gzip
            return .respond(fields: [date, "Content-Encoding: \(coding.rawValue)"], body: .sized(coding.bytes))
        case "chunks":
            return .respond(
                fields: [date],
                body: .chunked(Script.pattern(count: 5_000), sizes: [1, 15, 16, 255, 4_000], trailers: ["X-Sum: 1"]))
        case "pieces":
            return .respond(
                fields: [date], body: .chunked(Script.pattern(count: 5_000), sizes: [1, 15, 16, 255, 4_000]))
        case "thread": return .pause(milliseconds: 2) + .respond(fields: [date], body: .text("hello \(request.path)\n"))
        case "interim":
            return .interim("103 Early Hints", fields: ["Link: </style.css>"]) + .respond(body: .text("hinted"))
        case "close": return answerToClose(date)
        case "hangup":
            return Script(answerToClose(date).steps.dropLast() + [.hangUp])
        case "fill": return .respond(fields: [date], body: .fill(number))
        case "slow": return .pause(milliseconds: number) + .respond(fields: [date], body: .text("slow"))
        case "drip":
            // 100 bytes each 50 milliseconds, of more than will ever come.
            let head = Script.head("200 OK", fields: [date, "Content-Length: 1000000"])
            let drops = (0..<number).flatMap { _ in [Script.Step.fill(count: 100), .pause(milliseconds: 50)] }
            return Script([.write(head)] + drops + [.hold])
        case "headers":
            return Script([.write(Script.head("200 OK", fields: [date, "Content-Length: 1000000"])), .hold])
        case "stall":
            return .respond(fields: [date], body: .truncated(Script.pattern(count: 1_000), promised: 100_000)).stalling
        case "status": return .respond("\(argument) Because", fields: [date], body: .text("so"))
        case "cookie":
            return .respond(
                fields: [date, "Set-Cookie: sid=\(Secrets.setCookie); Path=/", "set-cookie: b=2"], body: .text("baked"))
        case "echo": return Script([.readRequestBody]) + .respond(fields: [date], body: .text("took it"))
        default: return .respond(fields: [date, "Content-Type: text/plain"], body: .text("hello \(request.path)\n"))
        }
    }
}

extension Script {
    /// The same, but instead of a FIN there is a wait until the client hangs up.
    fileprivate var stalling: Script {
        Script(
            steps.map { step in
                if case .close = step.action { return .hold }
                return step
            })
    }
}

/// Planted credentials, none of which may be found in a store.
enum Secrets {
    static let setCookie = "s3cr3tSetCookie0001"
    static let cookie = "s3cr3tCookie0002"
    static let bearer = "s3cr3tBearer0003"
    static let token = "s3cr3tToken0004"
    static let password = "s3cr3tPassword0005"
    static let apiKey = "s3cr3tApiKey0006"
    static let signature = "s3cr3tSignature0007"
    static let proxy = "s3cr3tProxy0008"

    static let all = [setCookie, cookie, bearer, token, password, apiKey, signature, proxy]
}

extension LoopbackOrigin {
    /// The number of its exchanges, for tests that wait for some: `exchanges` copies and sorts all of them at each look.
    var exchangeCount: Int { connections.reduce(0) { $0 + $1.exchanges.count } }
}
