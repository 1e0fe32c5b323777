internal import CCurlTap
internal import TLSRecords

/// Deciphers the TLS that programs pass on, before their frames reach a ``TapReader``.
///
/// Used by one thread at a time, as the reader.
package final class DecipheringReader {
    /// At most how many bytes wait for keys, of one connection and of all.
    private static let mostWaiting = (one: 4 << 20, all: 64 << 20)
    /// At most how many connections are followed at once.
    private static let mostConnections = 4_096

    private let keys: KeyLogFile
    private let library: Libcrypto
    private let skipsDigests: Bool
    private var connections: [UInt32: DecipheredConnection] = [:]
    /// How much of the keys was looked through for those that wait.
    private var seen = 0

    /// A reader of that file of keys; nil if the system has nothing that deciphers.
    package convenience init?(keyLog: String) {
        guard let library = Libcrypto.system else { return nil }
        self.init(KeyLogFile(path: keyLog), library, skipsDigests: false)
    }

    init(_ keys: KeyLogFile, _ library: Libcrypto, skipsDigests: Bool) {
        self.keys = keys
        self.library = library
        self.skipsDigests = skipsDigests
    }

    /// Takes whole frames: those of TLS here, and all others in the reader.
    package func take(_ message: UnsafeRawBufferPointer, _ reader: TapReader) throws(MalformedFrame) {
        var others = 0
        var place = 0
        while message.count - place >= MemoryLayout<wwt_frame>.size {
            let header = message.loadUnaligned(fromByteOffset: place, as: wwt_frame.self)
            // The reader says what is wrong with it.
            guard header.size >= MemoryLayout<wwt_frame>.size, Int(header.size) <= message.count - place else { break }
            let next = place + Int(header.size)
            let frame = UnsafeRawBufferPointer(rebasing: message[place..<next])
            defer { place = next }
            guard isOurs(header.kind, frame) else { continue }
            if others < place { try reader.takeFrames(UnsafeRawBufferPointer(rebasing: message[others..<place])) }
            try take(header, frame, reader)
            others = next
        }
        if others < message.count { try reader.takeFrames(UnsafeRawBufferPointer(rebasing: message[others...])) }
        try takeKeys(reader)
    }

    /// Takes the keys that have come, for what waits for them.
    package func takeKeys(_ reader: TapReader) throws(MalformedFrame) {
        guard connections.values.contains(where: \.isWaiting), case let taken = keys.grown(), taken > seen else {
            return
        }
        seen = taken
        for (number, connection) in connections where connection.isWaiting {
            guard let secrets = keys.secrets(connection.random) else { continue }
            connection.take(secrets)
            try finish(number, connection, reader)
        }
    }

    /// The program is over: what still waits for keys stays unseen.
    package func finish(_ reader: TapReader) throws(MalformedFrame) {
        try takeKeys(reader)
        for (number, connection) in connections.sorted(by: { $0.key < $1.key }) where connection.isClosing {
            try finish(number, connection, reader)
        }
    }

    private func finish(
        _ number: UInt32, _ connection: DecipheredConnection, _ reader: TapReader
    ) throws(MalformedFrame) {
        let isClosing = connection.isClosing
        let frame = connection.closeNow()
        try connection.frames(reader.takeFrames)
        if isClosing { connections[number] = nil }
        guard let frame else { return }
        try frame.withUnsafeBufferPointer { bytes throws(MalformedFrame) in
            try reader.takeFrames(UnsafeRawBufferPointer(bytes))
        }
    }

    private func isOurs(_ kind: UInt32, _ frame: UnsafeRawBufferPointer) -> Bool {
        switch wwt_frame_kind(kind) {
        case WWT_TLS_BEGIN, WWT_TLS_BYTES, WWT_TLS_OVER: true
        case WWT_UNSEEN, WWT_SOCKET_CLOSED, WWT_SOCKET_LEFT: !connections.isEmpty && Self.number(frame) != 0
        default: false
        }
    }

    /// The TLS of a connection whose end is reported; 0 for none.
    private static func number(_ frame: UnsafeRawBufferPointer) -> UInt32 { socket(frame)?.tls_number ?? 0 }

    /// The frame of a connection's end begins with it, of whatever kind it is.
    private static func socket(_ frame: UnsafeRawBufferPointer) -> wwt_socket_body? {
        guard frame.count >= MemoryLayout<wwt_frame>.size + MemoryLayout<wwt_socket_body>.size else { return nil }
        return frame.loadUnaligned(fromByteOffset: MemoryLayout<wwt_frame>.size, as: wwt_socket_body.self)
    }

    private func take(
        _ header: wwt_frame, _ frame: UnsafeRawBufferPointer, _ reader: TapReader
    ) throws(MalformedFrame) {
        var payload = FramePayload(
            UnsafeRawBufferPointer(rebasing: frame[MemoryLayout<wwt_frame>.size...]))
        switch wwt_frame_kind(header.kind) {
        case WWT_TLS_BEGIN:
            let begin = try payload.take(wwt_tls_begin_body.self)
            guard connections.count < Self.mostConnections else { return }
            // Its keys may be there already.
            seen = -1
            connections[begin.number] = DecipheredConnection(
                begin, localAddress: try payload.text(), remoteAddress: try payload.text(), library: library,
                skipsDigests: skipsDigests)
        case WWT_TLS_BYTES:
            let body = try payload.take(wwt_tls_bytes_body.self)
            guard let connection = connections[body.number] else { return }
            let bytes = UnsafeRawBufferPointer(
                rebasing: frame[(MemoryLayout<wwt_frame>.size + MemoryLayout<wwt_tls_bytes_body>.size)...])
            connection.take(
                bytes.bindMemory(to: UInt8.self), isDown: body.is_down != 0, offset: body.offset,
                at: header.monotonic)
            bound(connection, at: header.monotonic)
            try connection.frames(reader.takeFrames)
        case WWT_TLS_OVER:
            let body = try payload.take(wwt_tls_over_body.self)
            guard let connection = connections[body.number] else { return }
            // What a known library shows is not shown twice.
            if body.is_known != 0 {
                connections[body.number] = nil
            } else {
                connection.lose(at: header.monotonic)
                try connection.frames(reader.takeFrames)
            }
        default: try close(header, frame, reader)
        }
    }

    private func bound(_ connection: DecipheredConnection, at time: UInt64) {
        guard connection.isWaiting else { return }
        let all = connections.values.reduce(0) { $0 + $1.waitingCount }
        if connection.waitingCount > Self.mostWaiting.one || all > Self.mostWaiting.all { connection.lose(at: time) }
    }

    private func close(
        _ header: wwt_frame, _ frame: UnsafeRawBufferPointer, _ reader: TapReader
    ) throws(MalformedFrame) {
        guard let socket = Self.socket(frame), let connection = connections[socket.tls_number] else {
            return try reader.takeFrames(frame)
        }
        if socket.tls_is_whole == 0 { connection.lose(at: header.monotonic) }
        let isAsItIs = connection.close(frame, isFinal: false)
        try connection.frames(reader.takeFrames)
        if !connection.isClosing { connections[socket.tls_number] = nil }
        if isAsItIs { try reader.takeFrames(frame) }
    }
}
