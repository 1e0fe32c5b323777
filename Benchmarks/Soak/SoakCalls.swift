import Foundation
import FoundationNetworking
import Synchronization

/// Mixed requests of URLSession at a steady pace, each with a name of its own in the query item `n`.
final class SoakCalls: Sendable {
    private let address: String
    private let session: URLSession
    private let running = Mutex(0)
    /// More at once would only queue up behind a server that is gone.
    private let mostAtOnce = 8

    init(address: String) {
        self.address = address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Requests as long as there is time.
    ///
    /// - Parameters:
    ///   - seconds: when no more is begun.
    ///   - rate: how many are begun in a second.
    ///   - name: what the names of the requests begin with; a running number follows.
    func go(seconds: Double, rate: Double, name: String) async {
        let begin = ContinuousClock.now
        var number = 0
        while begin.duration(to: .now) < .seconds(seconds) {
            let next = begin + .seconds(Double(number) / rate)
            try? await Task.sleep(until: next, clock: .continuous)
            number += 1
            guard running.withLock({ $0 < mostAtOnce }) else { continue }
            running.withLock { $0 += 1 }
            let request = request(number, "\(name)-\(number)")
            Task { [self] in
                _ = try? await session.data(for: request)
                running.withLock { $0 -= 1 }
            }
        }
    }

    /// Waits until no request runs.
    func settle() async {
        while running.withLock({ $0 > 0 }) { try? await Task.sleep(for: .milliseconds(20)) }
    }

    /// Closes the connections.
    func end() { session.invalidateAndCancel() }

    /// What the number stands for; a body that is cut within its head is left out, for Foundation may end the process.
    private func request(_ number: Int, _ name: String) -> URLRequest {
        let size = 1 + number * 7_919 % 4_000
        let path =
            switch number % 20 {
            case 1, 11: "chunks/\(size)"
            case 2: "gzip"
            case 3, 12: "upload"
            case 4: "redirect/\(size)"
            case 5: "none"
            case 6: "error"
            case 7: "interim/\(size)"
            case 8: "slow/\(size)"
            case 9: "close/\(size)"
            case 13: number % 3 == 0 ? "reset/\(size)" : "cut/\(size)"
            case 14: number % 7 == 0 ? "stall/\(size)" : "until/\(size)"
            case 15: number % 3 == 0 ? "silent" : "small/60000"
            default: "small/\(size)"
            }
        var request = URLRequest(url: URL(string: "\(address)/\(path)?n=\(name)")!)
        if path == "upload" {
            request.httpMethod = "POST"
            request.httpBody = Data(repeating: 0x61, count: size * 10)
        }
        return request
    }
}
