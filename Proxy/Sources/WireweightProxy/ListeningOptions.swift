import ArgumentParser
import NIOCore
import ProxyWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where to listen, and who may come; the help of 'wireweight proxy', which passes them on, describes them.
struct ListeningOptions: ParsableArguments {
    @Option var listen: String?
    @Flag var forDevices = false
    @Option var allow: [String] = []
    @Flag var allowLinkLocal = false
    @Option var mostConnections = ProxyServer.Settings().mostConnections
    @Option var upstreamProxy: String?
    @Option var profile: String?
    /// The process that the proxy is to end with.
    @Option(help: .hidden) var parent: Int32?
    /// The socket to the command that meters.
    @Option(help: .hidden) var channel: Int32?
    @Option var threads = max(1, min(4, System.coreCount))

    static let defaultPort: UInt16 = 8899

    func validate() throws {
        _ = try place()
        _ = try reach()
        _ = try chain()
        _ = try conditions()
        if !allow.isEmpty, !forDevices, listen == nil {
            throw ValidationError(
                "'--allow' is for devices, and without '--for-devices' the proxy listens to none; add it")
        }
        guard mostConnections > 0, threads > 0 else { throw ValidationError("a number must be at least 1") }
    }

    /// Where to listen: this machine alone, if nothing else is named.
    func place() throws -> (host: String, port: UInt16) {
        let host = forDevices ? "0.0.0.0" : "127.0.0.1"
        guard let listen else { return (host, Self.defaultPort) }
        if let port = UInt16(listen) { return (host, port) }
        if listen.hasSuffix(":0"), let address = Authority(listen.dropLast() + "1", defaultPort: nil) {
            return (address.host, 0)
        }
        guard listen.contains(where: { $0 == "." || $0 == ":" }) || listen == "localhost",
            let address = Authority(listen, defaultPort: Self.defaultPort),
            IPAddress(address.host) != nil || address.host == "localhost"
        else {
            throw ValidationError("'--listen' takes an address and a port, such as 127.0.0.1:8899")
        }
        return (address.host, address.port)
    }

    /// What leads to servers; the URL of a refusal may hold a password, and is not shown.
    func chain() throws -> Chain {
        do throws(Chain.Refusal) {
            return try Chain(option: upstreamProxy) { name in getenv(name).map { String(cString: $0) } }
        } catch {
            let place = error.setting.hasPrefix("--") ? "'\(error.setting)'" : "'\(error.setting)' of the environment"
            let hint = error.setting.hasPrefix("--") ? "" : "; '--upstream-proxy none' goes without"
            switch error.reason {
            case .scheme(let scheme):
                throw ValidationError(
                    "\(place) names a proxy that is reached by '\(scheme)'; http, https and socks5 are known\(hint)")
            case .malformed:
                throw ValidationError("\(place) takes http://host:port or socks5://host:port\(hint)")
            }
        }
    }

    /// The network on which devices are to be.
    func conditions() throws -> LinkConditions? {
        guard let profile else { return nil }
        do throws(LinkConditions.Mistake) { return try LinkConditions(profile) } catch {
            switch error {
            case .unknown(let word):
                let names = LinkConditions.profiles.map(\.name).joined(separator: ", ")
                throw ValidationError("'--profile' knows no '\(word)'; there are \(names), and down=, up=, rtt=, loss=")
            case .value(let setting, let value):
                let form =
                    setting == "rtt"
                    ? "milliseconds" : setting == "loss" ? "percent" : "bits per second, such as 768k or 1.6M"
                throw ValidationError("'--profile': '\(setting)' takes \(form), not '\(value)'")
            }
        }
    }

    func reach() throws -> Reach {
        let ranges = try allow.map { text in
            guard let range = AddressRange(text) else {
                throw ValidationError(
                    "'--allow' takes an address such as 192.168.1.23 or 192.168.1.0/24, not '\(text)'")
            }
            return range
        }
        return Reach(allowed: ranges, allowsLinkLocal: allowLinkLocal)
    }
}
