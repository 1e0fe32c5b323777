import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

@Suite("Tunnels of programs without libcurl", .enabled(if: Built.isComplete, "needs 'make build'"))
struct TunnelRunTests {
    /// Prints the bytes of each request and of its response.
    ///
    /// With a third argument, the first proxy speaks TLS itself.
    private static let client = #"""
        import socket, ssl, subprocess, sys
        # The proxies are not metered.
        proxy = r'''
        import select, socket, ssl, sys
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        peer, _ = listener.accept()
        if len(sys.argv) > 1:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[1].replace("certificate", "key"))
            peer = context.wrap_socket(peer, server_side=True)
        file = peer.makefile("rwb", 0)
        host, port = file.readline().split()[1].decode().split(":")
        while file.readline() != b"\r\n": pass
        server = socket.create_connection((host, int(port)))
        file.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            for source in select.select([peer, server], [], [])[0]:
                data = source.recv(65536)
                if not data: sys.exit()
                (server if source is peer else peer).sendall(data)
        '''
        ports = []
        for certificate in sys.argv[3:], []:
            words = [sys.executable, "-c", proxy] + certificate
            other = subprocess.Popen(words, env={}, stdout=subprocess.PIPE, text=True)
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
        class Inside:
            def __init__(self, below):
                self.below, self.read, self.written = below, ssl.MemoryBIO(), ssl.MemoryBIO()
                self.tls = context.wrap_bio(self.read, self.written, server_hostname="127.0.0.1")
                self.run(self.tls.do_handshake)
            def run(self, step):
                while True:
                    try: return step()
                    except ssl.SSLWantReadError: pass
                    finally: self.below.sendall(self.written.read())
                    self.read.write(self.below.recv(65536))
            def sendall(self, data): self.run(lambda: self.tls.write(data))
            def recv(self, count): return self.run(lambda: self.tls.read(count))
            def close(self): self.below.close()
        context = ssl.create_default_context(cafile=sys.argv[2])
        one = socket.create_connection(("127.0.0.1", ports[0]))
        if sys.argv[3:]: one = context.wrap_socket(one, server_hostname="127.0.0.1")
        for port in ports[1], int(sys.argv[1]):
            ask(one, b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (port, port))
        one = Inside(one)
        for path in b"/hello/a", b"/fill/30000":
            ask(one, b"GET " + path + b" HTTP/1.1\r\nHost: inside.test\r\n\r\n")
        one.close()
        """#

    @Test(
        "TLS is tied to its connection through two proxies, also inside of TLS to the first one",
        .enabled(if: Built.has("python3", "openssl", "stunnel")), arguments: [false, true])
    func chain(isSecure: Bool) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        let port = try #require(URL(string: front.address)?.port)
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let program =
                ["timeout", "60", "python3", "-c", Self.client, "\(port)", front.certificateFile]
                + (isSecure ? [front.certificateFile] : [])
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
            #expect(connections.map { $0.load.parts[.proxyTLS] != nil } == [isSecure])
            #expect(connections.allSatisfy { $0.ledger?.isClosed == true }, "\(connections)")
        }
    }
}
