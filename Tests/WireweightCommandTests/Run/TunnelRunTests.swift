import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

@Suite("Tunnels of programs without libcurl", .enabled(if: Built.isComplete, "needs 'make build'"))
struct TunnelRunTests {
    /// Prints the bytes of each request and of its response.
    private static let client = #"""
        import socket, ssl, subprocess, sys
        # The proxies are not metered.
        proxy = r'''
        import socket, threading
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        def copy(source, target):
            while data := source.recv(65536): target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        peer, _ = listener.accept()
        file = peer.makefile("rwb", 0)
        host, port = file.readline().split()[1].decode().split(":")
        while file.readline() != b"\r\n": pass
        server = socket.create_connection((host, int(port)))
        file.write(b"HTTP/1.1 200 OK\r\n\r\n")
        threading.Thread(target=copy, args=(server, peer)).start()
        copy(peer, server)
        '''
        ports = []
        for _ in range(2):
            other = subprocess.Popen([sys.executable, "-c", proxy], env={}, stdout=subprocess.PIPE, text=True)
            ports.append(int(other.stdout.readline()))
        def take(source):
            data = b""
            while b"\r\n\r\n" not in data: data += source.recv(1)
            lines = dict(line.lower().split(b": ", 1) for line in data.split(b"\r\n")[1:-2])
            count = len(data) + int(lines.get(b"content-length", 0))
            while len(data) < count: data += source.recv(count - len(data))
            return count
        def ask(target, request):
            target.sendall(request)
            print(len(request), take(target))
        one = socket.create_connection(("127.0.0.1", ports[0]))
        for port in ports[1], int(sys.argv[1]):
            ask(one, b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (port, port))
        context = ssl.create_default_context(cafile=sys.argv[2])
        one = context.wrap_socket(one, server_hostname="127.0.0.1")
        for path in b"/hello/a", b"/fill/30000":
            ask(one, b"GET " + path + b" HTTP/1.1\r\nHost: inside.test\r\n\r\n")
        one.close()
        """#

    @Test("TLS is tied to its connection through two proxies", .enabled(if: Built.has("python3", "openssl", "stunnel")))
    func chain() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        let port = try #require(URL(string: front.address)?.port)
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let program = ["timeout", "60", "python3", "-c", Self.client, "\(port)", front.certificateFile]
            let ended = try launch([Built.command, "run", "--db", store, "--"] + program)
            #expect(ended.status == 0, "\(ended)")
            let exchanges = try Store(path: store).exchanges()
            #expect(exchanges.map { $0["method"] as? String } == ["CONNECT", "CONNECT", "GET", "GET"])
            let urls = exchanges.suffix(2).map { $0["url"] as? String }
            #expect(urls == ["https://inside.test/hello/a", "https://inside.test/fill/30000"])
            let totals = exchanges.map { exchange in
                let sizes = ["request", "response"].map { (exchange[$0] as? [String: Any])?["total"] as? Int ?? -1 }
                return "\(sizes[0]) \(sizes[1])"
            }
            #expect(totals == ended.outputText.split(separator: "\n").map(String.init))
            let connections = try StoreReader.open(store).connections()
            #expect(connections.map { $0.tls != nil } == [true])
            #expect(connections.allSatisfy { $0.ledger?.isClosed == true }, "\(connections)")
        }
    }
}
