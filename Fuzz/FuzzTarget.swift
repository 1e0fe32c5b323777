/// A machine that takes bytes of others, with what must hold whatever they are.
package struct FuzzTarget: Sendable {
    /// The name, as `make fuzz TARGETS=…` takes it.
    package let name: String
    /// Inputs to begin with.
    package let seeds: @Sendable () -> [[UInt8]]
    /// Takes an input.
    ///
    /// A crash is a finding, and so is a ``BrokenInvariant``.
    package let run: @Sendable ([UInt8]) throws -> Void

    /// All targets.
    package static let all = [
        heads, chunks, http1, http2, connections, webSocket, tap, har, lockfile, captureRows, captureBlocks, inspector,
        templates,
    ]
}

/// Something that must hold for any bytes does not hold.
package struct BrokenInvariant: Error, CustomStringConvertible {
    /// What must hold.
    package let description: String
}

/// Throws where something does not hold.
func mustHold(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard condition else { throw BrokenInvariant(description: what()) }
}

extension Array<UInt8> {
    /// A seed of text.
    static func text(_ text: String, split: UInt8 = 7) -> [UInt8] { [split] + Array(text.utf8) }
}
