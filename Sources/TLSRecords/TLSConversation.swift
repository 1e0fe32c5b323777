/// Deciphers the TLS of one connection with the secrets that the program has written into its key log.
///
/// It takes what the connection carries from the ClientHello on, however it is split, and returns what was inside. The
/// handshake's own encrypted messages are skipped: the first record that the traffic's key opens ends them (RFC 8446,
/// section 5.2). After an error nothing of the connection can be deciphered any more.
package final class TLSConversation {
    /// Why a connection is not deciphered.
    package enum Failure: Error, Equatable {
        /// The bytes are no TLS that this reads.
        case malformed
        /// A version, or a cipher suite, that this does not decipher.
        case unsupported
        /// A record that the keys do not open.
        case wrongKeys
        /// The client has sent messages before the handshake (0-RTT), whose key is another one.
        case earlyData
    }

    /// What a connection has carried inside of TLS.
    package enum Output {
        case plaintext(UnsafeBufferPointer<UInt8>)
        /// close_notify: nothing follows in this direction.
        case end
    }

    private final class Side {
        /// The record that is being read, with its header.
        var record: [UInt8] = []
        /// How its records are sealed, or will be.
        var protection: Protection?
        var isProtected = false
        var hasEnded = false
        /// The bytes of the handshake's encrypted records.
        var skipped = 0
        var messages = LateMessages()
    }

    /// The largest record (RFC 5246, section 6.2.3).
    private static let mostRecord = (1 << 14) + 2_048
    /// The most bytes of encrypted handshake messages: certificates may be long.
    private static let mostSkipped = 1 << 20

    private let library: Libcrypto
    private let random: [UInt8]
    private let secrets: KeyLog.Secrets
    private var hello = ServerHello()
    private let up = Side()
    private let down = Side()

    /// The version and the cipher suite by their numbers, once the server has named them.
    package private(set) var version: UInt16?
    package private(set) var suite: UInt16?

    /// - Parameters:
    ///   - random: that of the ClientHello, 32 bytes.
    ///   - secrets: those of its session.
    ///   - library: what deciphers.
    package init(random: [UInt8], secrets: KeyLog.Secrets, library: Libcrypto) {
        self.random = random
        self.secrets = secrets
        self.library = library
    }

    /// Whether both sides have sent what no longer belongs to the handshake, or could.
    package var isUnderWay: Bool { up.isProtected && down.isProtected }

    /// Takes the next bytes of one direction.
    ///
    /// - Parameters:
    ///   - bytes: as they are on the wire.
    ///   - isUp: whether the client sends them.
    ///   - take: gets what was inside; the bytes are there until it returns.
    /// - Throws: why it cannot be deciphered from here on.
    package func add(
        _ bytes: UnsafeBufferPointer<UInt8>, isUp: Bool, _ take: (Output) -> Void
    ) throws(Failure) {
        let side = isUp ? up : down
        var rest = bytes[...]
        while !rest.isEmpty {
            let wanted = side.record.count < 5 ? 5 : try Self.length(side.record)
            let piece = rest.prefix(wanted - side.record.count)
            rest = rest.dropFirst(piece.count)
            side.record += piece
            guard side.record.count >= 5, try side.record.count == Self.length(side.record) else { continue }
            try read(side, take)
            side.record.removeAll(keepingCapacity: true)
        }
    }

    /// The bytes of a record with its header.
    private static func length(_ header: [UInt8]) throws(Failure) -> Int {
        let count = Int(header[3]) << 8 | Int(header[4])
        guard (20...23).contains(header[0]), header[1] == 3, count > 0, count <= mostRecord else {
            throw .malformed
        }
        return 5 + count
    }

    /// TLS 1.3.
    private static let newest: UInt16 = 0x0304
    private static let (changeCipherSpec, alert, handshake, data): (UInt8, UInt8, UInt8, UInt8) = (20, 21, 22, 23)

    private func read(_ side: Side, _ take: (Output) -> Void) throws(Failure) {
        guard let version else { return try readHello(side) }
        if side.record[0] != Self.changeCipherSpec { return try open(side, take) }
        // In TLS 1.3 it means nothing.
        if version == Self.newest { return }
        // A second one is a new handshake inside of the first, with keys that the log has not.
        if side.isProtected { throw .unsupported }
        side.isProtected = true
    }

    /// Takes a record before the server has named the version.
    private func readHello(_ side: Side) throws(Failure) {
        if side.record[0] == Self.data { throw side === up ? .earlyData : .malformed }
        guard side === down, side.record[0] == Self.handshake, let content = try hello.add(side.record[5...]) else {
            return
        }
        guard let chosen = CipherSuite(content.suite, version: content.version) else { throw .unsupported }
        (version, suite) = (content.version, content.suite)
        if content.version == Self.newest {
            guard let client = secrets.client, let server = secrets.server else { throw .wrongKeys }
            up.protection = Protection(chosen, secret: client, library)
            down.protection = Protection(chosen, secret: server, library)
        } else {
            guard let master = secrets.master else { throw .wrongKeys }
            let both = Protection.both(chosen, master: master, randoms: (random, content.random), library)
            up.protection = both?.client
            down.protection = both?.server
        }
        guard up.protection != nil, down.protection != nil else { throw .unsupported }
    }

    private func open(_ side: Side, _ take: (Output) -> Void) throws(Failure) {
        // What follows close_notify counts for nothing (RFC 8446, section 6.1).
        if side.hasEnded { return }
        let isNew = version == Self.newest
        let type = side.record[0]
        guard isNew ? type == Self.data : side.isProtected else {
            // The handshake in the clear, and an alert that ends it.
            if side.isProtected || type == Self.data { throw .malformed }
            return
        }
        let opened = side.record.withUnsafeMutableBufferPointer { side.protection?.open($0) }
        guard let opened else {
            side.skipped += side.record.count
            guard isNew, !side.isProtected, side.skipped <= Self.mostSkipped else { throw .wrongKeys }
            return
        }
        side.isProtected = true
        let content = opened.content
        switch opened.type {
        case Self.data:
            side.record.withUnsafeBufferPointer { take(.plaintext(UnsafeBufferPointer(rebasing: $0[content]))) }
        case Self.handshake where isNew:
            guard side.messages.add(side.record[content]) else { return }
            side.protection = side.protection?.next()
            if side.protection == nil { throw .unsupported }
        case Self.alert where content.count == 2 && side.record[content.lowerBound + 1] == 0:
            side.hasEnded = true
            take(.end)
        default: break
        }
    }
}

/// The handshake messages that come after the handshake in TLS 1.3 (RFC 8446, section 4.6), however they are split.
private struct LateMessages {
    private static let keyUpdate: UInt8 = 24

    private var header: [UInt8] = []
    private var left = 0

    /// Takes a record's content; returns whether a KeyUpdate ends it.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        var isUpdate = false
        while !rest.isEmpty {
            isUpdate = false
            if header.count < 4 {
                header.append(rest.removeFirst())
                guard header.count == 4 else { continue }
                left = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
            } else {
                let taken = min(left, rest.count)
                rest = rest.dropFirst(taken)
                left -= taken
            }
            guard left == 0 else { continue }
            isUpdate = header[0] == Self.keyUpdate
            header = []
        }
        return isUpdate
    }
}
