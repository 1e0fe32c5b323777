import Foundation
import TextFormats
import TrafficModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Copies the store that an inspector's page shows, such as a phone's, into a file here.
struct StoreDownload {
    private let address: URL
    private let token: String?

    /// Whether a word is the address of a page and not the name of a file.
    static func isMeant(by word: String) -> Bool {
        ["http://", "https://"].contains { word.lowercased().hasPrefix($0) }
    }

    /// A download from the page at that address, with the token that the address has.
    ///
    /// - Throws: ``ReadingFailure``
    init(from page: String) throws {
        guard var parts = URLComponents(string: page), parts.host?.isEmpty == false else {
            throw ReadingFailure(
                "'\(page)' is no address; give it as the program printed it: 'http://HOST:PORT/?token=…'")
        }
        token = parts.queryItems?.first { $0.name == "token" }?.value
        parts.queryItems = nil
        parts.fragment = nil
        parts.path = "/api/v1/store"
        guard let url = parts.url else { throw ReadingFailure("'\(page)' is no address") }
        address = url
    }

    /// Downloads the store into a file that only its owner can read.
    ///
    /// - Returns: the size of the file.
    /// - Throws: ``ReadingFailure``; an exit code if the file cannot be written, which is said by then.
    func run(into path: String, _ progress: ProgressLine? = nil) throws -> ByteCount {
        let receiver = Receiver(try Output(path: path), progress)
        var request = URLRequest(url: address)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let configuration = URLSessionConfiguration.ephemeral
        // The page makes the copy before it sends the first byte.
        configuration.timeoutIntervalForRequest = 600
        let session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: request).resume()
        let outcome = receiver.wait()
        if let error = outcome.unwritten { throw error }
        if let error = outcome.failure { throw ReadingFailure("'\(Self.shown(address))' does not answer: \(error)") }
        guard outcome.status == 200 else { throw ReadingFailure(refusal(outcome)) }
        guard Files.isDatabase(path) else { throw ReadingFailure("what '\(Self.shown(address))' has sent is no store") }
        return ByteCount(outcome.bytes)
    }

    private func refusal(_ outcome: Receiver.Outcome) -> String {
        let page = Self.shown(address)
        switch outcome.status {
        case 401:
            return "the page at '\(page)' wants its token; give the whole address as the program printed it"
        case 404:
            return "there is no store at '\(page)'; it is no inspector's page, or that of an older version"
        default:
            return "the page at '\(page)' refuses with status \(outcome.status)\(outcome.said.map { ": \($0)" } ?? "")"
        }
    }

    /// The address without what is secret in it.
    private static func shown(_ address: URL) -> String {
        "\(address.scheme ?? "http")://\(address.host ?? "")\(address.port.map { ":\($0)" } ?? "")/"
    }
}

/// Writes what comes into a file.
///
/// `@unchecked Sendable`: the session calls it from one queue, and what that left is read after the end.
private final class Receiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    struct Outcome {
        var status = 0
        var bytes: Int64 = 0
        /// Why what came could not be written.
        var unwritten: (any Error)?
        /// Why nothing came, or not all.
        var failure: String?
        /// The reason in the body of a refusal.
        var said: String?
    }

    private static let mostSaid = 1 << 16

    private var file: Output
    private let progress: ProgressLine?
    private let end = DispatchSemaphore(value: 0)
    private var outcome = Outcome()
    private var refusal = Data()

    init(_ file: consuming Output, _ progress: ProgressLine?) {
        self.file = file
        self.progress = progress
    }

    func wait() -> Outcome {
        end.wait()
        return outcome
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        outcome.status = (response as? HTTPURLResponse)?.statusCode ?? 0
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard outcome.status == 200 else {
            if refusal.count < Self.mostSaid { refusal += data }
            return
        }
        guard outcome.unwritten == nil else { return }
        do {
            try file.write([UInt8](data))
            outcome.bytes += Int64(data.count)
            progress?.show(Units.bytes(ByteCount(outcome.bytes)))
        } catch {
            outcome.unwritten = error
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        outcome.failure = error?.localizedDescription
        outcome.said = Self.reason(in: refusal)
        if outcome.unwritten == nil {
            do { try file.flush() } catch { outcome.unwritten = error }
        }
        end.signal()
    }

    private static func reason(in body: Data) -> String? {
        let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
        return (object?["error"] as? [String: Any])?["message"] as? String
    }
}
