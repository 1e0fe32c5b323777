/// Bytes that were read from a socket and not yet consumed.
struct InputBuffer {
    private var storage = [UInt8](repeating: 0, count: 65_536)
    private var filled = 0..<0

    var bytes: ArraySlice<UInt8> { storage[filled] }
    var isEmpty: Bool { filled.isEmpty }

    mutating func drop(_ count: Int) { filled = (filled.lowerBound + count)..<filled.upperBound }

    /// Reads once; call it only after all earlier bytes are consumed.
    mutating func read(from socket: Socket) -> Socket.Result {
        precondition(isEmpty, "unconsumed input")
        let result = storage.withUnsafeMutableBytes { socket.read(into: $0) }
        if case .bytes(let count) = result { filled = 0..<count }
        return result
    }
}
