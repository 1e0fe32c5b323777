import Foundation

/// A forward proxy on loopback with its default settings, which passes requests on and stores nothing.
final class Proxy {
    let port: Int
    private let child: Process
    private let folder: URL?

    var process: Int32 { child.processIdentifier }

    private init(_ path: String, port: Int, folder: URL? = nil, _ arguments: [String]) throws {
        self.port = port
        self.folder = folder
        child = Process()
        child.executableURL = URL(fileURLWithPath: path)
        child.arguments = arguments
        child.standardInput = FileHandle.nullDevice
        child.standardOutput = FileHandle.nullDevice
        child.standardError = FileHandle.nullDevice
        try child.run()
        try waitUntilOpen()
    }

    /// Starts mitmproxy without its user interface; nil if it is not installed.
    ///
    /// `WIREWEIGHT_MITMDUMP` holds its path.
    static func mitmproxy() throws -> Proxy? {
        guard let path = Child.path(of: ProcessInfo.processInfo.environment["WIREWEIGHT_MITMDUMP"] ?? "mitmdump") else {
            return nil
        }
        let port = try freePort()
        return try Proxy(path, port: port, ["--quiet", "--listen-host", "127.0.0.1", "--listen-port", "\(port)"])
    }

    /// Starts squid with a log line for each request and without a cache; nil if it is not installed.
    static func squid() throws -> Proxy? {
        guard let path = Child.path(of: "squid") else { return nil }
        let port = try freePort()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squid-\(port)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If squid starts as root, it continues as another user, who needs access to the folders.
        chmod(folder.path, 0o777)
        chmod(folder.deletingLastPathComponent().path, 0o755)
        let configuration = """
            http_port 127.0.0.1:\(port)
            http_access allow all
            cache deny all
            pid_filename none
            access_log stdio:\(folder.path)/access.log
            cache_log \(folder.path)/cache.log
            coredump_dir \(folder.path)
            shutdown_lifetime 0 seconds
            max_filedescriptors 8192
            """
        let file = folder.appendingPathComponent("squid.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        return try Proxy(path, port: port, folder: folder, ["-N", "-f", file.path])
    }

    func end() {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private func waitUntilOpen() throws {
        for _ in 0..<300 {
            let socket = Loopback.socket()
            defer { close(socket) }
            if Loopback.connect(socket, to: port) { return }
            guard child.isRunning else { break }
            usleep(100_000)
        }
        end()
        throw Child.Failure(description: "'\(child.executableURL?.path ?? "")' does not listen")
    }

    private static func freePort() throws -> Int {
        let socket = Loopback.socket()
        defer { close(socket) }
        guard let port = Loopback.bind(socket) else { throw Child.Failure(description: "no port to be had") }
        return port
    }
}
