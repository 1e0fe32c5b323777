import Foundation

/// A server on 127.0.0.1 that answers each request with the same bytes.
///
/// It does as little as possible, because it shares the machine with the measured program.
enum CannedOrigin {
    /// Prints its port, and serves until standard input is closed.
    static func serve(bodySize: Int) throws {
        let listener = Loopback.socket()
        guard let port = Loopback.bind(listener), listen(listener, 4_096) == 0 else {
            throw Child.Failure(description: "no port to be had")
        }
        let response = Response(bodySize: bodySize)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                Thread.detachNewThread { answer(connection, with: response) }
            }
        }
        print(port)
        fflush(nil)
        while getchar() != EOF {}
    }

    /// The bytes of a response: the first bytes, and a block that is sent a number of times after them.
    private struct Response {
        /// The largest piece of a body to keep in memory.
        private static let most = 1 << 24

        let begin: [UInt8]
        let block: [UInt8]
        let blocks: Int

        init(bodySize: Int) {
            blocks = bodySize / Self.most
            block = [UInt8](repeating: UInt8(ascii: "x"), count: blocks > 0 ? Self.most : 0)
            begin =
                CannedOrigin.head(bodySize: bodySize)
                + [UInt8](repeating: UInt8(ascii: "x"), count: bodySize % Self.most)
        }
    }

    private static func head(bodySize: Int) -> [UInt8] {
        let head = """
            HTTP/1.1 200 OK\r
            Date: Fri, 21 Nov 2025 00:00:00 GMT\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(bodySize)\r
            Connection: keep-alive\r
            Server: benchmark\r
            Cache-Control: no-store\r
            Vary: Accept-Encoding\r
            X-Request-Id: 0f9d7bd2-6d57-44a3-9f3c-1d1b0a5f2c11\r
            \r\n
            """
        return Array(head.utf8)
    }

    private static func answer(_ connection: Int32, with response: Response) {
        defer { close(connection) }
        var one: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // The number of bytes matched of the empty line that ends a request; the requests have no content.
        var matched = 0
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                let expected = matched & 1 == 0 ? UInt8(ascii: "\r") : UInt8(ascii: "\n")
                matched = byte == expected ? matched + 1 : byte == UInt8(ascii: "\r") ? 1 : 0
                guard matched == 4 else { continue }
                matched = 0
                guard send(response.begin, to: connection) else { return }
                for _ in 0..<response.blocks {
                    guard send(response.block, to: connection) else { return }
                }
            }
        }
    }

    private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Foundation.send(
                    connection, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
