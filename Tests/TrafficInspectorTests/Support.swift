import Foundation
import TrafficModel
import TrafficStore

@testable import TrafficInspector

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A store in a folder of its own, with an inspector on it.
final class Shown {
    let path = NSTemporaryDirectory() + "inspector-\(UUID().uuidString).db"
    let writer: StoreWriter
    let inspector: Inspector
    let port: UInt16

    init(
        control: (any RecordingControl)? = nil, _ change: (inout Inspector.Options) -> Void = { _ in }
    ) async throws {
        writer = try StoreWriter.open(path)
        var options = Inspector.Options()
        options.name = "traffic.db"
        change(&options)
        do {
            inspector = try await Inspector(try StoreReader.open(path), control: control, options: options)
        } catch {
            // No connection exists yet whose end would do it.
            try? writer.close()
            Self.remove(path)
            throw error
        }
        port = UInt16(URLComponents(string: inspector.url)?.port ?? 0)
    }

    deinit {
        inspector.stop()
        try? writer.close()
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Asks for an address of the API.
    func ask(
        _ path: String, method: String = "GET", fields: [String] = [], body: String = ""
    ) async throws -> Reply {
        let host = fields.contains { $0.lowercased().hasPrefix("host:") } ? "" : "Host: 127.0.0.1:\(port)\r\n"
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        let head = fields.map { $0 + "\r\n" }.joined()
        let text = "\(method) \(path) HTTP/1.1\r\n\(host)\(length)\(head)Connection: close\r\n\r\n\(body)"
        return Reply(try await send(Array(text.utf8)))
    }

    /// Sends bytes, and reads until the other side closes.
    func send(_ bytes: [UInt8]) async throws -> [UInt8] {
        let port = port
        return try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: those that all share are the server's to use.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let client = try RawClient(port: port)
                        client.write(bytes)
                        return client.read { _ in false }
                    })
            }
        }
    }
}

/// What came back.
struct Reply {
    let status: Int
    let head: String
    let body: String

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let end = text.range(of: "\r\n\r\n")
        head = end.map { String(text[..<$0.lowerBound]) } ?? text
        body = end.map { String(text[$0.upperBound...]) } ?? ""
        status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    var object: [String: Any] {
        get throws { try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] ?? [:] }
    }

    /// The code of an error.
    var code: String? {
        get throws { (try object["error"] as? [String: Any])?["code"] as? String }
    }

    func ids() throws -> [Int] {
        (try object["exchanges"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
    }
}

/// A socket and nothing else.
final class RawClient {
    private let file: Int32

    init(port: UInt16) throws {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        file = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Writes as much as the other side takes.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads until there is no more, or enough.
    func read(until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(result) {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            result += buffer[..<count]
        }
        return result
    }
}

enum Sample {
    static let epoch: Int64 = 1_763_683_230_000_000_000

    /// The events of one exchange.
    static func events(
        _ id: Int64, path: String = "/users/1", host: String = "api.test", status: Int? = 200, body: Int64 = 512,
        fields: String = "", isRunning: Bool = false, method: String = "GET", kept: [UInt8]? = nil,
        port: Int = 80
    ) -> [TrafficEvent] {
        let begin = Timestamp(nanoseconds: epoch + id * 1_000_000_000)
        let exchange = ExchangeID(id)
        var events: [TrafficEvent] = [
            .request(
                RequestRecord(
                    exchange: exchange, task: exchange, resendCount: 0, process: ProcessIdentity(pid: 42, name: "app"),
                    startedAt: begin, method: method, scheme: "http", host: host, port: port, path: path, query: nil,
                    template: path, httpVersion: "1.1",
                    fields: FieldSection(bytes: Array("Host: \(host)\r\n\(fields)".utf8)),
                    size: WireSize(startLine: .captured(24), fields: .captured(31))))
        ]
        if let status {
            events.append(
                .response(
                    ResponseRecord(
                        exchange: exchange, firstByteAt: begin, status: status, reason: "OK", httpVersion: "1.1",
                        fields: FieldSection(bytes: Array("Content-Type: text/html\r\n".utf8)),
                        size: WireSize(startLine: .captured(17), fields: .captured(27), body: .captured(body)),
                        decodedBody: .captured(body), contentType: "text/html", contentEncoding: "",
                        capturedBody: kept)))
        }
        if !isRunning {
            events.append(
                .end(
                    ExchangeEnd(
                        exchange: exchange, endedAt: begin,
                        outcome: status == nil
                            ? .failed(ExchangeFailure(.libcurl, code: 7, message: "refused")) : .completed,
                        timings: ExchangeTimings(total: id * 1_000_000))))
        }
        return events
    }
}
