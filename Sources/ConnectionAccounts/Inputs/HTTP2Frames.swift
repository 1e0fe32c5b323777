package import HTTPWire

/// A stream of HTTP/2 (RFC 9113, section 5) in one of a process's sessions.
package struct HTTP2StreamID: Hashable, Sendable {
    package var session: UInt64
    package var number: UInt32

    package init(session: UInt64, number: UInt32) {
        self.session = session
        self.number = number
    }
}

/// Frames that a session of HTTP/2 has carried since the last report.
package struct HTTP2Frames: Sendable {
    /// Bytes of frames in one direction.
    package struct Part: Sendable {
        package var isDown: Bool
        package var piece: HTTP2Piece

        package init(isDown: Bool, piece: HTTP2Piece) {
            self.isDown = isDown
            self.piece = piece
        }
    }

    package var session: UInt64
    /// Whether other frames were lost.
    package var isBroken: Bool
    package var parts: [Part]

    package init(session: UInt64, isBroken: Bool, parts: [Part]) {
        self.session = session
        self.isBroken = isBroken
        self.parts = parts
    }
}
