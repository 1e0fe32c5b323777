import ProxyWire

extension FuzzTarget {
    /// The proxy's reader of a client's hello of TLS.
    static let proxyHello = FuzzTarget(
        name: "proxy-hello",
        seeds: { HelloBytes.seeds },
        run: { input in
            let bytes = Array(input.dropFirst())
            let found = Self.hello(bytes)
            for end in bytes.indices {
                let early = Self.hello(Array(bytes[..<end]))
                try mustHold(early == .incomplete || early == found, "\(early) in \(end) bytes, and \(found) in all")
            }
            guard case .hello(let hello) = found else { return }
            if let name = hello.serverName {
                let isThere = Authority(name, defaultPort: 443)?.host == name && IPAddress(name) == nil
                try mustHold(isThere, "the name '\(name)'")
            }
            var rest = hello.protocols[...]
            while let count = rest.popFirst() {
                try mustHold(count > 0 && rest.count >= count, "protocols \(hello.protocols)")
                rest = rest.dropFirst(Int(count))
            }
            #if os(Linux)
                let tap = ReadHello([bytes])
                try mustHold(
                    tap.random == nil || hello.serverName == nil
                        || String(decoding: tap.name, as: UTF8.self).lowercased() == hello.serverName,
                    "the proxy reads \(hello), and the tap \(tap)")
            #endif
        })

    private static func hello(_ bytes: [UInt8]) -> ClientHello.Found {
        bytes.withUnsafeBytes { ClientHello.find(in: $0) }
    }

    /// What a client of SOCKS sends.
    static let proxySOCKS = FuzzTarget(
        name: "proxy-socks",
        seeds: {
            [
                [7, 5, 1, 0], [7, 5, 2, 0, 2, 9], [7, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80, 71],
                [7, 5, 1, 0, 3, 1, 97, 1, 187],
                [7, 5, 1, 0, 4] + Array(repeating: 0, count: 15) + [1, 0, 80], [7, 4, 1, 0, 80],
                [7, 5, 2, 0, 1, 1, 1, 1, 1, 0, 1],
            ]
        },
        run: { input in
            let bytes = Array(input.dropFirst())
            for read in [SOCKS5.greeting, SOCKS5.request] {
                let message = bytes.withUnsafeBytes(read)
                switch message {
                case .greeting(let count, _), .connect(let count, _):
                    try mustHold(count <= bytes.count, "\(message) of \(bytes.count) bytes")
                    for end in 0..<count {
                        try mustHold(bytes[..<end].withUnsafeBytes(read) == .incomplete, "\(message) in \(end) bytes")
                    }
                    try mustHold(bytes[..<count].withUnsafeBytes(read) == message, "\(message) hangs on what follows")
                    if case .connect(_, let authority) = message {
                        try mustHold(
                            Authority(authority.description, defaultPort: nil) == authority,
                            "no authority: \(authority)")
                    }
                case .incomplete, .unsupported, .malformed: break
                }
            }
        })

    /// The answers of an upstream proxy.
    static let proxyUpstream = FuzzTarget(
        name: "proxy-upstream",
        seeds: {
            [
                "HTTP/1.1 200 Fine\r\nVia: x\r\n\r\nlater", "HTTP/1.1 103 E\r\n\r\nHTTP/1.1 407 Who\r\n\r\n",
                "nonsense\n\n",
                "\u{5}\u{2}\u{1}\0\u{5}\0\0\u{1}\0\0\0\0\0\0later", "\u{5}\0\u{5}\0\0\u{3}\u{1}a\0\0",
                "\u{5}\0\u{5}\u{5}\0\u{1}",
            ].map { .text($0) }
        },
        run: { input in
            for url in ["http://me:secret@a.test", "socks5://a.test", "socks5://me:secret@a.test"] {
                let steps = try Splits(input).sameForAll { try UpstreamSteps(url, $0) }
                try mustHold(steps.taken <= input.count, "\(steps)")
            }
        })

    /// What a person writes: hosts, addresses, upstream proxies, networks.
    static let proxySettings = FuzzTarget(
        name: "proxy-settings",
        seeds: {
            [
                "a.test:8080", "[::1]:443", "*.bank.example", "192.168.0.0/16", "http://me:p%40ss@a.test:3128/",
                "socks5h://[::1]",
                "example.com,.b.test:81,*,[fe80::1]:1, 10.0.0.0/8", "3g,loss=1.5,down=2M,up=500k,rtt=120", "loss", "",
            ].map { .text($0) }
        },
        run: { input in
            let text = String(decoding: input.dropFirst(), as: UTF8.self)
            let authority = Authority(text, defaultPort: 80)
            if let authority {
                try mustHold(
                    Authority(authority.description, defaultPort: nil) == authority, "no authority: \(authority)")
                try mustHold(authority.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the host '\(authority.host)'")
            }
            if let address = IPAddress(text) {
                try mustHold(IPAddress(address.description) == address, "no address: \(address)")
                try mustHold(AddressRange(text)?.contains(address) == true, "no range: \(text)")
            }
            if let range = AddressRange(text) { _ = range.contains(IPAddress([10, 0, 0, 1])!) }
            if let pattern = HostPattern(text), let authority {
                try mustHold(pattern.matches(authority.host), "'\(text)' is not its own host")
            }
            let direct = DirectHosts(text)
            for host in ["a.test", "::1", "10.0.0.1", text] { _ = direct.contains(Authority(host: host, port: 80)) }
            if let conditions = try? LinkConditions(text) {
                for rate in [conditions.down, conditions.up] { try mustHold(rate ?? 1_000 >= 1_000, "\(conditions)") }
                try mustHold(0...60_000 ~= conditions.roundTrip && 0...50 ~= conditions.loss, "\(conditions)")
            }
            if let proxy = try? UpstreamProxy(text) {
                try mustHold(try UpstreamProxy(proxy.description).authority == proxy.authority, "no proxy: \(proxy)")
                try mustHold(!proxy.description.contains("@"), "credentials in \(proxy)")
                try mustHold(
                    proxy.authorization?.dropLast(2).utf8.allSatisfy { $0 >= 0x20 } ?? true,
                    "a line in \(proxy)'s credentials")
            }
        })
}

/// What is said to an upstream proxy, answer by answer.
private struct UpstreamSteps: Equatable {
    var steps: [UpstreamHandshake.Step] = []
    /// Up to an open tunnel.
    var taken = 0

    init(_ url: String, _ pieces: [[UInt8]]) throws {
        var handshake = UpstreamHandshake(through: try UpstreamProxy(url), to: Authority(host: "b.test", port: 443))
        var waiting: [UInt8] = []
        for piece in pieces {
            waiting += piece
            while true {
                let (count, step) = waiting.withUnsafeBytes { handshake.take($0) }
                try mustHold(count <= waiting.count, "\(count) of \(waiting.count) bytes")
                waiting.removeFirst(count)
                if case .refused = step {
                    steps.append(step)
                    return
                }
                taken += count
                if step == .wait {
                    if count == 0 { break }
                    continue
                }
                steps.append(step)
                if step == .open { return }
            }
        }
    }
}
