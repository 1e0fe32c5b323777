import CCurlClient
import CurlObserver
import Testing
import TrafficModel
import WireweightTesting

/// What a program on libcurl does and sees.
final class Program {
    let record = cc_record_create()
    let base: String
    /// A handle that a callback has made.
    var copy: UnsafeMutableRawPointer?
    private var handles: [UnsafeMutableRawPointer?] = []
    private var log: UnsafeMutableRawPointer?
    // libc writes here whenever the log is flushed.
    private let logText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
    private let logSize = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(base: String) { self.base = base }

    /// A log file in memory.
    func openLog() -> UnsafeMutableRawPointer? {
        log = cc_log_open(logText, logSize)
        return log
    }

    /// What has been written into it.
    func closeLog() -> String {
        cc_log_close(log)
        return logText.pointee.map { String(cString: $0) } ?? ""
    }

    deinit {
        for handle in handles { cc_cleanup(handle) }
        cc_record_destroy(record)
    }

    /// All that was noted, but for addresses in memory, which libcurl prints and which differ from run to run.
    var text: String {
        String(cString: cc_record_text(record)).replacing(/0x[0-9a-f]+/, with: "0x")
    }

    func note(_ line: String) { cc_record_note(record, line) }

    /// A handle for that path, which is cleaned up at the end.
    func handle(_ path: String) -> UnsafeMutableRawPointer? {
        let easy = cc_init()
        handles.append(easy)
        cc_set_text(easy, Int32(CC_URL.rawValue), base + path)
        cc_set_body(easy, record)
        return easy
    }

    func own(_ easy: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        handles.append(easy)
        return easy
    }

    func perform(_ easy: UnsafeMutableRawPointer?) { note("result \(cc_perform(easy))") }

    func set(_ easy: UnsafeMutableRawPointer?, _ option: UInt32, _ value: Int) {
        note("set \(cc_set_long(easy, Int32(option), value))")
    }

    /// Drives until that text has come, a minute at most.
    func run(_ multi: UnsafeMutableRawPointer?, until wanted: String) {
        for _ in 0..<6_000 {
            if text.contains(wanted) { break }
            _ = cc_multi_step(multi, 10)
        }
    }

    /// Drives until nothing runs, and asks for no result.
    func runBlindly(_ multi: UnsafeMutableRawPointer?) {
        while cc_multi_step(multi, 20) > 0 {}
    }

    /// Drives to the end.
    func run(_ multi: UnsafeMutableRawPointer?) {
        while cc_multi_step(multi, 20) > 0 {}
        var result: Int32 = 0
        while cc_multi_done(multi, &result) != nil { note("done \(result)") }
    }
}

/// What the origin of these tests answers.
func makeOrigin() throws -> LoopbackOrigin {
    let origin = LoopbackOrigin { request in
        switch request.target.split(separator: "/").first.map(String.init) ?? "" {
        case "redirect": .respond("302 Found", fields: ["Location: /ok"], body: .text(""))
        case "nowhere": .respond("302 Found", fields: ["Location: http://127.0.0.1:1/gone"], body: .text("moved"))
        case "chunked":
            .respond(body: .chunked(Array("hello, chunked world".utf8), sizes: [1, 7], trailers: ["X: 1"]))
        case "slow":
            .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", as: .body) + .pause(milliseconds: 300)
                + .write("world", as: .body)
        case "hold": .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", as: .body) + .hold
        case "silent": .hold
        case "none": .respond("204 No Content")
        case "until": .respond(body: .untilClose(Array("hello, and goodbye".utf8))) + .close
        case "short": .respond(body: .truncated(Array("hello".utf8), promised: 10)) + .close
        default: .respond(fields: ["X-A: 1", "Set-Cookie: a=b"], body: .text("hello"))
        }
    }
    try origin.start()
    return origin
}
