internal import TrafficInspector

/// The address of a page as a QR code, in characters, for a log or a terminal.
///
/// ```swift
/// let address = try await monitor.startInspector(on: .localNetwork)
/// print("traffic: \(address)\n\(InspectorCode(address))")
/// ```
public struct InspectorCode: CustomStringConvertible, Sendable {
    private let code: QRCode?

    /// Makes a code of an address, which has 134 bytes at most; a longer one makes an empty code.
    public init(_ address: String) { code = QRCode(address) }

    /// The lines of the code, for text that is light on dark.
    ///
    /// Cameras that read only dark codes need ``terminal`` if the text is dark on light.
    public var description: String { code?.lightLines.joined(separator: "\n") ?? "" }

    /// The lines of the code with a terminal's own colours, black on white.
    public var terminal: String { code?.terminalLines.joined(separator: "\n") ?? "" }
}
