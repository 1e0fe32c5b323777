import Foundation

@testable import TrafficOrigin
@testable import WireweightTesting

/// A client that sends the bytes it is given and reads what comes, as they are.
struct RawClient: Sendable {
    private let socket: Socket

    init(port: UInt16) throws { socket = try Socket.connected(to: port) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let result = bytes.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            guard case .bytes(let count) = result else { return }
            offset += count
        }
    }

    /// Reads that many bytes, or to the end.
    func read(_ count: Int = .max) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while result.count < count {
            let wanted = min(buffer.count, count - result.count)
            let outcome = buffer.withUnsafeMutableBytes {
                socket.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
            }
            guard case .bytes(let taken) = outcome else { break }
            result.append(contentsOf: buffer[..<taken])
        }
        return result
    }

    func endWriting() { socket.endWriting() }
    func close() { socket.close() }
    func reset() { socket.reset() }
}

/// Starts an origin, runs the body, stops the origin.
func withOrigin<T>(
    keptBytes: Int = 1_048_576, _ handler: @escaping @Sendable (OriginRequest) -> Script,
    _ body: (LoopbackOrigin) throws -> T
) throws -> T {
    let origin = LoopbackOrigin(keptBytes: keptBytes, handler: handler)
    try origin.start()
    defer { origin.stop() }
    return try body(origin)
}
