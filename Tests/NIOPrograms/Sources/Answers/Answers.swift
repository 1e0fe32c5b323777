import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOSSL
import ServiceLifecycle

/// Answers of each kind in the clear, and over TLS, where ALPN chooses between HTTP/1.1 and HTTP/2.
public struct Answers: Sendable {
    private let services: [any Service]

    /// Prepares both servers on loopback, with the certificate and the key of the folder.
    public init(folder: String, clear: Int, secure: Int) throws {
        let certificates = try NIOSSLCertificate.fromPEMFile("\(folder)/certificate.pem")
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: "\(folder)/key.pem", format: .pem)))
        var logger = Logger(label: "answers")
        logger.logLevel = .critical
        services = [
            Application(
                router: Self.router(), server: .http1(),
                configuration: .init(address: .hostname("127.0.0.1", port: clear)), logger: logger),
            Application(
                router: Self.router(), server: try .http2Upgrade(tlsConfiguration: tls),
                configuration: .init(address: .hostname("127.0.0.1", port: secure)), logger: logger),
        ]
    }

    /// Answers until an interrupt.
    public func serve() async throws {
        var logger = Logger(label: "group")
        logger.logLevel = .critical
        try await ServiceGroup(services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger).run()
    }

    private static func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        let large = ByteBuffer(bytes: (0..<300_000).map { UInt8(ascii: "0") + UInt8($0 % 10) })
        router.get("/") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain", .setCookie: "a=b"],
                body: .init(byteBuffer: ByteBuffer(string: "ok\n")))
        }
        router.get("large") { _, _ in Response(status: .ok, body: .init(byteBuffer: large)) }
        router.get("none") { _, _ in Response(status: .noContent) }
        router.get("chunked") { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    for (letter, count) in [(0x61, 1), (0x62, 300), (0x63, 70_000)] as [(UInt8, Int)] {
                        try await writer.write(ByteBuffer(repeating: letter, count: count))
                    }
                    try await writer.finish([.init("X-Sum")!: "1"])
                })
        }
        router.post("echo") { request, _ in
            Response(status: .ok, body: .init(byteBuffer: try await request.body.collect(upTo: 1 << 22)))
        }
        return router
    }
}
