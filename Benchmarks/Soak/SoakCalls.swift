import Foundation
import FoundationNetworking
import Locks

/// Makes mixed requests with URLSession at a steady pace, each with a unique name in the query item `n`.
final class SoakCalls: Sendable {
    private let address: String
    private let session: URLSession
    private let running = Mutex(0)
    /// The most concurrent requests; more would only pile up if the server is gone.
    private let mostAtOnce = 8

    init(address: String) {
        self.address = address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Makes requests for a period of time.
    ///
    /// - Parameters:
    ///   - seconds: the time after which no more requests start.
    ///   - rate: the number of requests to start in a second.
    ///   - name: the prefix of the requests' names; a running number follows.
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

    /// Waits until no request is running.
    func settle() async {
        while running.withLock({ $0 > 0 }) { try? await Task.sleep(for: .milliseconds(20)) }
    }

    /// Closes the connections.
    func end() { session.invalidateAndCancel() }

    /// Makes the request of a number.
    ///
    /// No response is cut off inside its headers, because Foundation may end the process then.
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
