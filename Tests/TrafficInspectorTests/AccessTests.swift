import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import TrafficInspector

/// Who is answered, and who is not.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct AccessTests {
    @Test func theOwnNamesAreAnswered() async throws {
        let shown = try await Shown()
        for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
            #expect(try await shown.ask("/api/v1/overview", fields: ["Host: \(host):\(shown.port)"]).status == 200)
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:PORT.evil.example",
    ])
    func otherNamesAreRefused(host: String) async throws {
        let shown = try await Shown()
        let name = host.replacingOccurrences(of: "PORT", with: "\(shown.port)")
        let reply = try await shown.ask("/api/v1/overview", fields: ["Host: \(name)"])
        #expect(reply.status == 403)
        #expect(try reply.code == "forbidden")
    }

    @Test func twoHostsAreRefused() async throws {
        let shown = try await Shown()
        let own = "Host: 127.0.0.1:\(shown.port)"
        #expect(try await shown.ask("/api/v1/overview", fields: [own, "Host: evil.example"]).status == 403)
    }

    @Test(arguments: [
        "Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
    ])
    func pagesOfOtherOriginsAreRefused(field: String) async throws {
        let shown = try await Shown()
        for path in ["/api/v1/overview", "/api/v1/exchanges", "/api/v1/events"] {
            #expect(try await shown.ask(path, fields: [field]).status == 403)
        }
        #expect(try await shown.ask("/api/v1/pause", method: "POST", fields: [field, "X-Wireweight: 1"]).status == 403)
    }

    @Test func theOwnOriginIsAnswered() async throws {
        let shown = try await Shown()
        let fields = ["Origin: http://127.0.0.1:\(shown.port)", "Sec-Fetch-Site: same-origin"]
        #expect(try await shown.ask("/api/v1/overview", fields: fields).status == 200)
    }

    @Test func changesNeedThePagesHeader() async throws {
        let control = Switch()
        let shown = try await Shown(control: control)
        #expect(try await shown.ask("/api/v1/pause", method: "POST").status == 403)
        #expect(!control.isPaused)
        #expect(try await shown.ask("/api/v1/pause", method: "POST", fields: ["X-Wireweight: 1"]).status == 200)
        #expect(control.isPaused)
        #expect(try await shown.ask("/api/v1/resume", method: "GET", fields: ["X-Wireweight: 1"]).status == 404)
        #expect(control.isPaused)
    }

    @Test func clearingMustBeConfirmed() async throws {
        let control = Switch()
        let shown = try await Shown(control: control)
        let fields = ["X-Wireweight: 1"]
        #expect(try await shown.ask("/api/v1/clear", method: "POST", fields: fields).status == 400)
        #expect(control.cleared == 0)
        let reply = try await shown.ask("/api/v1/clear", method: "POST", fields: fields, body: #"{"confirm": true}"#)
        #expect(reply.status == 200)
        #expect(control.cleared == 1)
    }

    @Test func aFileThatIsOnlyLookedAtCannotBeChanged() async throws {
        let shown = try await Shown()
        for call in ["pause", "resume", "clear"] {
            let reply = try await shown.ask("/api/v1/\(call)", method: "POST", fields: ["X-Wireweight: 1"])
            #expect(reply.status == 409)
        }
        let can = try await shown.ask("/api/v1/overview").object["can"] as? [String: Bool]
        #expect(can == ["pause": false, "clear": false, "compare": false, "open": false, "copy": true])
    }

    @Test func onlyADeviceThatAsksIsLetIn() async throws {
        let door = Door()
        let shown = try await Shown { $0.devices = door }
        func admit(_ device: String, _ fields: [String] = ["X-Wireweight: 1"]) async throws -> Reply {
            try await shown.ask("/api/v1/devices?admit=\(device)", method: "POST", fields: fields)
        }
        #expect(
            try await shown.ask("/api/v1/overview").object["asking"] as? [String] == ["192.168.1.23", "192.168.1.24"])
        #expect(try await admit("192.168.1.99").status == 409)
        #expect(try await admit("192.168.1.23", []).status == 403)
        #expect(door.admitted == [])
        let reply = try await admit("192.168.1.23")
        #expect(reply.status == 200)
        #expect(try reply.object["asking"] as? [String] == ["192.168.1.24"])
        #expect(door.admitted == ["192.168.1.23"])
        let without = try await Shown()
        #expect(try await without.ask("/api/v1/overview").object["asking"] as? [String] == [])
        #expect(
            try await without.ask("/api/v1/devices?admit=192.168.1.23", method: "POST", fields: ["X-Wireweight: 1"])
                .status == 409)
    }

    @Test func offLoopbackATokenIsNeeded() async throws {
        let shown = try await Shown { $0.address = "0.0.0.0" }
        let url = try #require(URLComponents(string: shown.inspector.url))
        let token = try #require(url.queryItems?.first { $0.name == "token" }?.value)
        #expect(token.count == 24)
        #expect(try await shown.ask("/").status == 401)
        #expect(try await shown.ask("/api/v1/overview").status == 401)
        #expect(try await shown.ask("/api/v1/overview?token=\(token)").status == 401)
        let wrong = ["Authorization: Bearer \(token.dropLast())\(token.last == "x" ? "y" : "x")"]
        #expect(try await shown.ask("/api/v1/overview", fields: wrong).status == 401)
        #expect(try await shown.ask("/api/v1/overview", fields: ["Authorization: Bearer \(token)"]).status == 200)
        let visit = try await shown.ask("/?token=\(token)")
        #expect(visit.status == 303)
        #expect(visit.head.contains("Set-Cookie: wireweight=\(token); Path=/; HttpOnly; SameSite=Strict"))
        #expect(visit.head.contains("\r\nLocation: /\r\n"))
        #expect(try await shown.ask("/api/v1/overview", fields: ["Cookie: a=b; wireweight=\(token)"]).status == 200)
    }

    @Test func everyAnswerForbidsWhatItDoesNotNeed() async throws {
        let shown = try await Shown()
        for path in ["/", "/api/v1/overview", "/nothing", "/api/v1/exchanges/1"] {
            let head = try await shown.ask(path).head
            #expect(head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(head.contains("X-Content-Type-Options: nosniff"))
            #expect(head.contains("X-Frame-Options: DENY"))
            #expect(!head.contains("Access-Control-Allow"))
        }
    }

    @Test(arguments: [
        "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
        "/index.html/..", "/api/v1/../../etc/passwd", "/\u{0}", "/%00", "/api/v1/exchanges/1/bodies/../../../x",
    ])
    func noFileIsServed(path: String) async throws {
        let shown = try await Shown()
        #expect(try await shown.ask(path).status == 404)
    }
}

/// A recorder that only remembers.
private final class Door: DeviceAdmission, @unchecked Sendable {
    // The lock protects both.
    private let lock = NSLock()
    private var waiting = ["192.168.1.23", "192.168.1.24"]
    private var letIn: [String] = []

    var asking: [String] { lock.withLock { waiting } }
    var admitted: [String] { lock.withLock { letIn } }

    func admit(_ device: String) -> Bool {
        lock.withLock {
            guard let place = waiting.firstIndex(of: device) else { return false }
            letIn.append(waiting.remove(at: place))
            return true
        }
    }
}

final class Switch: RecordingControl, @unchecked Sendable {
    private let lock = NSLock()
    private var paused = false
    private var clears = 0

    var isPaused: Bool { lock.withLock { paused } }
    var cleared: Int { lock.withLock { clears } }
    func pause() { lock.withLock { paused = true } }
    func resume() { lock.withLock { paused = false } }
    func clear() async throws { lock.withLock { clears += 1 } }
}
