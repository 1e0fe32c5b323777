internal import ASCIIBytes

/// The secrets of TLS sessions, as TLS libraries write them into the file that `SSLKEYLOGFILE` names: a line for each
/// secret, with its name, the random of the ClientHello and the secret (RFC 9850).
package struct KeyLog {
    /// What is known of one session.
    package struct Secrets: Hashable, Sendable {
        /// The master secret of TLS 1.2 (RFC 5246, section 8.1).
        package var master: [UInt8]?
        /// The first secrets of the messages' traffic in TLS 1.3 (RFC 8446, section 7.1).
        package var client: [UInt8]?
        package var server: [UInt8]?

        package init() {}

        /// Whether messages can be deciphered with them.
        package var isEnough: Bool { master != nil || (client != nil && server != nil) }
    }

    /// At most how many sessions it remembers; the older half of more is forgotten.
    package static let most = 16_384
    /// A longer line is none of ours: the longest has a name, a random of 32 bytes and a secret of 64.
    private static let longest = 256

    private var sessions: [[UInt8]: Secrets] = [:]
    private var order: [[UInt8]] = []
    private var line: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// The secrets of the session whose ClientHello has that random.
    package subscript(random: [UInt8]) -> Secrets? { sessions[random] }

    package var count: Int { sessions.count }

    /// Takes the next bytes of the file; the last line may go on in those that follow.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isTooLong { take() }
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            } else if line.count < Self.longest {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    private mutating func take() {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count == 3, let random = Self.bytes(words[1]), random.count == 32,
            let secret = Self.bytes(words[2]), (32...64).contains(secret.count), let key = Self.key(words[0])
        else { return }
        if sessions[random] == nil {
            makeRoom()
            sessions[random] = Secrets()
            order.append(random)
        }
        // A secret never changes. A program that logs the two ends of a connection writes each twice.
        if sessions[random]?[keyPath: key] == nil { sessions[random]?[keyPath: key] = secret }
    }

    private mutating func makeRoom() {
        guard order.count >= Self.most else { return }
        for old in order.prefix(Self.most / 2) { sessions[old] = nil }
        order.removeFirst(Self.most / 2)
    }

    private static func key(_ name: ArraySlice<UInt8>) -> WritableKeyPath<Secrets, [UInt8]?>? {
        switch String(decoding: name, as: UTF8.self) {
        case "CLIENT_RANDOM": \.master
        case "CLIENT_TRAFFIC_SECRET_0": \.client
        case "SERVER_TRAFFIC_SECRET_0": \.server
        default: nil
        }
    }

    private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = ASCII.hexValue(digit) else { return nil }
            if let upper = high { result.append(upper << 4 | value) }
            high = high == nil ? value : nil
        }
        return result
    }
}
