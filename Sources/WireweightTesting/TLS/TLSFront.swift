#if os(Linux) || os(macOS)
    package import Foundation
    import Locks
    import TrafficOrigin

    /// Puts TLS in front of an origin: an `stunnel` process that decrypts and forwards.
    ///
    /// The origin still counts plaintext, which is what clients of a TLS library see, too. `curl` takes the certificate
    /// with `--cacert`. A URLSession on Linux trusts only the system's bundle. For it, a certificate must be made and
    /// installed there beforehand, and its folder passed as `identity`.
    package final class TLSFront: Sendable {
        /// A version of the TLS protocol.
        package enum Version: String, CaseIterable, Sendable {
            case tls12 = "TLSv1.2"
            case tls13 = "TLSv1.3"
        }

        /// The port on which stunnel listens.
        package let port: UInt16
        /// The path of the self-signed certificate in PEM.
        package let certificateFile: String
        private let folder: URL
        private let process: Mutex<Process?>

        /// The URL with the host name of the certificate.
        package var address: String { "https://localhost:\(port)" }

        /// Makes a certificate, unless one is given, and starts the process.
        ///
        /// - Parameters:
        ///   - originPort: the port to forward to.
        ///   - version: the only version that the server accepts.
        ///   - identity: a folder with `certificate.pem` and `key.pem`; nil to make them.
        /// - Throws: ``OriginError`` if `openssl` or `stunnel` is missing or fails.
        package init(originPort: UInt16, version: Version, identity: URL? = nil) throws {
            guard let stunnel = Tool.path(of: "stunnel") ?? Tool.path(of: "stunnel4") else {
                throw OriginError(.missingTool, "no stunnel on the path", advice: "on Debian: apt-get install stunnel4")
            }
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-front-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let identityFolder = identity ?? folder
            certificateFile = identityFolder.appendingPathComponent("certificate.pem").path
            let folder = folder
            do {
                if identity == nil { try Self.makeIdentity(in: folder) }
                let (port, process) = try Self.start(
                    stunnel, folder: folder, identity: identityFolder, originPort: originPort, version: version)
                self.port = port
                self.process = Mutex(process)
            } catch {
                try? FileManager.default.removeItem(at: folder)
                throw error
            }
        }

        deinit { stop() }

        /// Ends the process and removes its files.
        package func stop() {
            let running = process.withLock { process in
                defer { process = nil }
                return process
            }
            guard let running else { return }
            Tool.kill(running)
            running.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Makes a key and a certificate for localhost in a folder.
        ///
        /// - Throws: ``OriginError`` if `openssl` is missing or fails.
        package static func makeIdentity(in folder: URL) throws {
            guard let openssl = Tool.path(of: "openssl") else {
                throw OriginError(.missingTool, "no openssl on the path", advice: "on Debian: apt-get install openssl")
            }
            let result = try Tool.run(
                openssl,
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "30",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", folder.appendingPathComponent("key.pem").path,
                    "-out", folder.appendingPathComponent("certificate.pem").path,
                ])
            guard result.status == 0 else {
                throw OriginError(
                    .toolFailed, "openssl made no certificate: \(result.errors)",
                    advice: "check that 'openssl req' works in a shell")
            }
        }

        private static func start(
            _ stunnel: String, folder: URL, identity: URL, originPort: UInt16, version: Version
        ) throws -> (UInt16, Process) {
            var output = ""
            // Another process may take the free port before stunnel does.
            for _ in 0..<5 {
                let port = try ClosedPort().number
                let log = folder.appendingPathComponent("log")
                try? FileManager.default.removeItem(at: log)
                let configuration = folder.appendingPathComponent("stunnel.conf")
                try """
                foreground = yes
                pid =
                debug = notice
                output = \(log.path)
                syslog = no
                [front]
                accept = 127.0.0.1:\(port)
                connect = 127.0.0.1:\(originPort)
                cert = \(identity.path)/certificate.pem
                key = \(identity.path)/key.pem
                sslVersionMin = \(version.rawValue)
                sslVersionMax = \(version.rawValue)
                options = NO_TICKET
                socket = l:TCP_NODELAY=1
                socket = r:TCP_NODELAY=1
                TIMEOUTclose = 1

                """.write(to: configuration, atomically: true, encoding: .utf8)
                let process = Process()
                process.executableURL = URL(fileURLWithPath: stunnel)
                process.arguments = [configuration.path]
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                for _ in 0..<500 {
                    output = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                    // stunnel prints the line once it listens. A trial connection would reach the origin and appear in
                    // its log.
                    if output.contains("Configuration successful") { return (port, process) }
                    guard process.isRunning else { break }
                    Thread.sleep(forTimeInterval: 0.01)
                }
                if process.isRunning { Tool.kill(process) }
                process.waitUntilExit()
            }
            throw OriginError(
                .toolFailed, "stunnel does not start: \(output)", advice: "check that the port is free")
        }
    }
#endif
