import Dispatch
import NIOCore
import ProxyWire
import QRCodes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the person at the computer sees and answers.
///
/// All of it goes to standard error and comes from the terminal.
struct Desk: Sendable {
    static func say(_ text: String) { voice.write("wireweight: \(text)\n") }

    /// Writes what is left to say, if the terminal takes it.
    static func finish() { voice.finish() }

    private static let voice = Voice()

    private var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    func announce(_ server: ProxyServer) {
        let place = Authority(host: server.address, port: UInt16(server.port))
        Self.say("the proxy listens on \(place); Ctrl-C ends it and shows the sums")
        if server.context.settings.servesDevices {
            let places = server.context.settings.announced.map { Authority(host: "\($0)", port: UInt16(server.port)) }
            for own in places {
                Self.say(
                    "on the device, open http://\(own)/; or choose HTTP proxy, manual: server \(own.host), "
                        + "port \(own.port); or automatic: http://\(own)\(OwnFile.autoConfig.rawValue)"
                )
            }
            if let own = places.first { show("http://\(own)/") }
        } else {
            Self.say("try: curl -x http://\(place) http://example.com")
        }
    }

    /// What a phone's camera reads.
    private func show(_ address: String) {
        guard isTerminal, getenv("NO_COLOR") == nil, let code = QRCode(address) else { return }
        for line in code.terminalLines { Self.voice.write(line + "\n") }
    }

    /// Each upstream proxy, without its credentials.
    func announce(_ chain: Chain) {
        if chain.http == chain.tunnels {
            if let proxy = chain.http { Self.say("servers are reached through the upstream proxy \(proxy)") }
            return
        }
        if let proxy = chain.http { Self.say("http:// is reached through the upstream proxy \(proxy)") }
        if let proxy = chain.tunnels { Self.say("tunnels go through the upstream proxy \(proxy)") }
    }

    /// What devices are made to feel.
    func announce(_ conditions: LinkConditions) {
        Self.say("devices are as on another network: \(conditions)")
    }

    func ask(_ device: IPAddress) {
        if isTerminal {
            Self.say(
                "\(device) asks to use the proxy: type its address and Enter, or use the page of '--inspect', to let it in"
            )
        } else {
            Self.say("\(device) was refused; '--allow \(device)' or the page of '--inspect' lets it in")
        }
    }

    /// Takes the addresses that are typed.
    func listen(to gate: Gate) {
        guard isTerminal else { return }
        DispatchQueue(label: "terminal").async {
            while let line = readLine() {
                guard let word = line.split(whereSeparator: \.isWhitespace).first else { continue }
                Self.admit(word, to: gate)
            }
        }
    }

    static func admit(_ word: Substring, to gate: Gate) {
        guard let range = AddressRange(String(word)) else {
            return say("'\(word)' is no address such as 192.168.1.23")
        }
        gate.allow(range)
        say("\(word) may use the proxy")
    }
}
