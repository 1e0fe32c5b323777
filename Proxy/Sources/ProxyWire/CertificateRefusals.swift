/// Which devices do not take the proxy's certificate for which hosts, as they say it themselves, and which hosts want one
/// of the client, which only the device has.
///
/// Only an alert that names the certificate is a refusal. A browser that connects ahead ends a connection without a
/// request, before or after the handshake, and so does an app that compares certificates itself: these look the same.
package struct CertificateRefusals: Sendable {
    /// How a connection that was to be opened went on.
    package enum Sign: Sendable {
        /// The device has sent something inside TLS: it takes the certificate.
        case use
        /// Its alert named the certificate (RFC 8446, section 6.2).
        case refusal
        /// It has ended without either.
        case silence
    }

    /// What a person should know, once for each device and host.
    package enum Finding: Equatable, Sendable {
        /// From now on the host passes unopened.
        case refused
        /// It has ended that often, and never sent anything.
        case silent(Int)
    }

    private struct Pair: Hashable, Sendable {
        let device: String
        let host: String
    }

    /// Silent ends after which a person hears of them.
    package static let manySilences = 3
    private static let most = 10_000

    private var refused: Set<Pair> = []
    private var silences: [Pair: Int] = [:]
    private var wanting: Set<String> = []

    package init() {}

    package func contains(_ host: String, by device: String) -> Bool {
        wanting.contains(host) || refused.contains(Pair(device: device, host: host))
    }

    /// Notes a server that does not go on without a certificate of its client; whether it is the first time.
    package mutating func noteWanting(_ host: String) -> Bool {
        if wanting.count >= Self.most { wanting.removeAll() }
        return wanting.insert(host).inserted
    }

    package mutating func note(_ sign: Sign, of host: String, by device: String) -> Finding? {
        let pair = Pair(device: device, host: host)
        // Names without end must not fill the memory.
        if refused.count >= Self.most { refused.removeAll() }
        if silences.count >= Self.most { silences.removeAll() }
        switch sign {
        case .refusal: return refused.insert(pair).inserted ? .refused : nil
        case .use: silences[pair] = .max
        case .silence:
            let count = silences[pair, default: 0]
            guard count < Self.manySilences else { return nil }
            silences[pair] = count + 1
            if count + 1 == Self.manySilences { return .silent(count + 1) }
        }
        return nil
    }
}
