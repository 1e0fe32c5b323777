internal import Dispatch

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// A request that a self-test makes to see whether it is metered.
package struct Canary: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private let style: SelfTest.Style
    private let url: URL

    /// Makes a canary in one of URLSession's styles, for an origin at that address.
    private init(_ style: SelfTest.Style, to address: String) throws {
        guard let url = URL(string: "\(address)\(CanaryOrigin.path(of: style))/1") else {
            throw Failure("'\(address)' is no address")
        }
        self.style = style
        self.url = url
    }

    /// Makes a request in one of URLSession's styles.
    ///
    /// - Parameters:
    ///   - style: the style.
    ///   - address: the origin's address, without a slash at its end.
    /// - Returns: a description of what went wrong; nil if the whole response came.
    package static func send(_ style: SelfTest.Style, to address: String) async -> String? {
        do {
            let content = try await Canary(style, to: address).send()
            guard content == CanaryOrigin.contentSize else {
                throw Failure("\(content) bytes came instead of \(CanaryOrigin.contentSize)")
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Makes the request and returns the number of content bytes received.
    private func send() async throws -> Int {
        let delegate = CanaryDelegate(content: Self.content(9_001))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        configuration.urlCache = nil
        let session = URLSession(
            configuration: configuration, delegate: style.needsDelegate ? delegate : nil, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        switch style {
        case .dataTask: return try await completionHandler(session)
        case .asyncData: return try await session.data(from: url).0.count
        case .delegate: return try await delegate.run(session.dataTask(with: URLRequest(url: url)))
        case .uploadData: return try await session.upload(for: post, from: Self.content(5_003)).0.count
        case .uploadFile: return try await uploadFile(session)
        case .uploadStream: return try await delegate.run(session.uploadTask(withStreamedRequest: post))
        case .download: return try await download(session)
        case .dataContentsOf: return try await dataContentsOf()
        default: throw Failure("curl makes those")
        }
    }

    private var post: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }

    private static func content(_ count: Int) -> Data { Data((0..<count).map { UInt8(ascii: "A") + UInt8($0 % 26) }) }

    private func completionHandler(_ session: URLSession) async throws -> Int {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            session.dataTask(with: url) { data, _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: data?.count ?? 0)
                }
            }.resume()
        }
    }

    private func uploadFile(_ session: URLSession) async throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("wireweight-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.content(7_001).write(to: file)
        return try await session.upload(for: post, fromFile: file).0.count
    }

    private func download(_ session: URLSession) async throws -> Int {
        let file = try await session.download(from: url).0
        defer { try? FileManager.default.removeItem(at: file) }
        return try Data(contentsOf: file).count
    }

    private func dataContentsOf() async throws -> Int {
        let url = url
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            // The call blocks, so it must not run on a thread that other tasks share.
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Data(contentsOf: url).count })
            }
        }
    }
}

extension SelfTest.Style {
    fileprivate var needsDelegate: Bool { self == .delegate || self == .uploadStream }
}
