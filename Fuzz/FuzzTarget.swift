/// A reader of foreign bytes, with the invariants that must hold for any input.
package struct FuzzTarget: Sendable {
    /// The name for `make fuzz TARGETS=…`.
    package let name: String
    /// The inputs that fuzzing starts with.
    package let seeds: @Sendable () -> [[UInt8]]
    /// Runs the reader on an input.
    ///
    /// Both a crash and a ``BrokenInvariant`` are findings.
    package let run: @Sendable ([UInt8]) throws -> Void

    /// All targets.
    package static let all =
        [
            heads, chunks, http1, http2, connections, webSocket, tap, har, lockfile, captureRows, captureBlocks,
            inspector, templates, filter, clickHouse, proxyRequest, proxyResponse, proxyChunks, proxyHello, proxySOCKS,
            proxyUpstream, proxySettings, certificate, keyLog, tlsRecords, dns,
        ] + ofLinux

    private static var ofLinux: [FuzzTarget] {
        #if os(Linux)
            [stream, clientHello, serverHello, movedCode, movedArm64]
        #else
            []
        #endif
    }
}

/// An invariant that does not hold for an input.
package struct BrokenInvariant: Error, CustomStringConvertible {
    /// A description of the invariant.
    package let description: String
}

/// Throws ``BrokenInvariant`` if a condition does not hold.
func mustHold(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard condition else { throw BrokenInvariant(description: what()) }
}

extension Array<UInt8> {
    /// Makes a seed from text, after a byte that says how to split it.
    static func text(_ text: String, split: UInt8 = 7) -> [UInt8] { [split] + Array(text.utf8) }
}
