internal import Foundation
package import TrafficModel

/// The inspector without a server: it answers inside the process, for a web view that shows the page.
///
/// No port is open, so no other program can reach it. The rules for requests are the server's, as far as they can be
/// broken here: limits, methods, and the header of calls that change something.
package final class InspectorPage: Sendable {
    /// A response, whose content comes in pieces.
    package struct Answer: Sendable {
        package let status: Int
        package let fields: [(name: String, value: String)]
        /// Returns the next piece of the content; nil after the last one.
        package let next: @Sendable () async throws -> [UInt8]?
    }

    /// The scheme of the page's address.
    package static let scheme = "wireweight"
    /// The address of the page.
    package static let address = "\(scheme)://traffic/"

    /// The path with the query of an address of the page; nil if it is another's.
    package static func target(of address: String) -> String? {
        guard address.hasPrefix(Self.address) else { return nil }
        return "/" + address.dropFirst(Self.address.count).prefix { $0 != "#" }
    }

    // The pieces that one turn of a program's main thread takes.
    private static let pieceSize = 64 << 10
    // Our own name for `Host`: the caller has none.
    private static let host = "127.0.0.1:0"

    private let router: Router

    /// Answers with what a store holds.
    ///
    /// - Parameters:
    ///   - reading: the store.
    ///   - control: controls recording into the store; nil if another process records.
    ///   - options: what the page shows; nothing listens at the address.
    package init(_ reading: any TrafficBrowsing, control: (any RecordingControl)?, options: Inspector.Options) {
        router = Router(
            reading, control: control, options: options,
            access: AccessRules(address: "127.0.0.1", port: 0, token: nil))
    }

    /// The answer to a request of the page.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: the path with the query, percent-encoded.
    ///   - fields: the header fields; those that the page itself does not set are ignored.
    ///   - body: the content.
    /// - Returns: the answer, also to a request that is refused.
    package func answer(
        method: String, target: String, fields: [String: String] = [:], body: [UInt8] = []
    ) async -> Answer {
        var response = await response(method, target, fields, body)
        if method == "HEAD" { response.content = .bytes([]) }
        return Answer(
            status: response.status, fields: response.fields + Response.protections(of: Self.scheme),
            next: Self.pieces(of: response.content))
    }

    /// Writes an answer into a file: an export, a report or a body.
    ///
    /// - Parameters:
    ///   - target: the path with the query, as for ``answer(method:target:fields:body:)``.
    ///   - folder: the folder for the file, which must exist.
    /// - Returns: the path of the file, which has the name that the answer gives it.
    /// - Throws: ``Refusal`` if the answer is none; the error of the disk or the store.
    package func save(_ target: String, in folder: String) async throws -> String {
        let answer = await answer(method: "GET", target: target)
        guard answer.status == 200 else { throw Refusal(status: answer.status, code: "wrong", phrase: .address) }
        let path = "\(folder)/\(Self.name(of: answer, at: target))"
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        while let piece = try await answer.next() { try file.write(contentsOf: Data(piece)) }
        return path
    }

    /// The name after `filename=`, or else the last part of the path.
    private static func name(of answer: Answer, at target: String) -> String {
        let given = answer.fields.first { $0.name == "Content-Disposition" }?.value
            .split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
        let name = given ?? target.split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? "traffic"
        return name.contains("/") || name.hasPrefix(".") ? "traffic" : name
    }

    // Closes other files that the page has opened.
    deinit { router.files.close() }

    private func response(
        _ method: String, _ target: String, _ fields: [String: String], _ body: [UInt8]
    ) async -> Response {
        var reader = RequestReader()
        let taken = fields.filter { Self.taken.contains($0.key.lowercased()) }
        let lines = ["\(method) \(target) HTTP/1.1", "Host: \(Self.host)", "Content-Length: \(body.count)"]
        let all = lines + taken.map { "\($0.key): \($0.value)" }
        do throws(Refusal) {
            // A line end inside a line would begin another one.
            guard all.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else { throw Refusal.wrong(.target) }
            reader.add(Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
            guard let request = try reader.next() else { throw Refusal.wrong(.contentLength) }
            return await router.answer(request)
        } catch {
            return error.response
        }
    }

    private static let taken: Set<String> = ["content-type", "if-none-match", "last-event-id", "x-wireweight"]

    /// The content in pieces that are small enough for a thread that also draws.
    private static func pieces(of content: Response.Content) -> @Sendable () async throws -> [UInt8]? {
        let source: @Sendable () async throws -> [UInt8]?
        switch content {
        case .bytes(let bytes):
            let whole = Rest(bytes[...])
            return { whole.take(pieceSize) }
        case .stream(let next): source = next
        case .headOnly: return { nil }
        }
        let rest = Rest([])
        return {
            while true {
                if let piece = rest.take(pieceSize) { return piece }
                guard let more = try await source() else { return nil }
                rest.put(more)
            }
        }
    }
}
