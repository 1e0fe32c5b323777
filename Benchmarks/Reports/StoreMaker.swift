import Foundation
import TrafficModel
import TrafficStore

/// Writes large stores with the real writer, and prints the same exchanges as CSV.
enum StoreMaker {
    // Fewer events than the writer's buffer holds, so that none is dropped.
    private static let ahead = 20_000

    /// Writes a number of exchanges with a number of APIs into a new store, and prints its progress.
    static func make(_ path: String, exchanges: Int, apis: Int) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure(description: "'\(path)' is there already; remove it, or name another file")
        }
        let clock = SimulatedClock(ServiceTraffic.begin)
        var traffic = ServiceTraffic(apis: apis)
        let writer = BatchWriter(store: try StoreWriter.open(path, now: { clock.now }))
        let start = Usage.wall
        var done = 0
        while done < exchanges {
            let count = min(ahead, exchanges - done)
            for _ in 0..<count {
                let exchange = traffic.exchange()
                writer.record(.request(exchange.request))
                if let response = exchange.response { writer.record(.response(response)) }
                if let end = exchange.end { writer.record(.end(end)) }
            }
            for connection in traffic.takeClosedConnections() { writer.record(.connection(connection)) }
            clock.set(traffic.clock)
            try writer.flush()
            done += count
            if done % 100_000 == 0 || done == exchanges { say(done, of: exchanges, since: start) }
        }
        try writer.finish()
        guard writer.counters.dropped == 0 else {
            throw Failure(description: "the writer dropped \(writer.counters.dropped) events")
        }
    }

    /// Prints the same exchanges, one on each line, with the values that a report adds up.
    static func print(exchanges: Int) {
        var traffic = ServiceTraffic()
        var text = "method,host,template,process,status,type,started,up,down,up_fields,down_fields,cookies,"
        text += "encoded,decoded,failed,reused,opened,total,dns,connect,tls,wait,receive\n"
        for number in 1...max(1, exchanges) {
            text += line(traffic.exchange())
            if number % 1_000 == 0 || number == exchanges {
                FileHandle.standardOutput.write(Data(text.utf8))
                text = ""
            }
        }
    }

    private static func line(_ exchange: Exchange) -> String {
        var total = TrafficTotal(key: TrafficTotal.Key())
        total.add(exchange)
        let (request, end) = (exchange.request, exchange.end)
        let timings = end?.timings ?? ExchangeTimings()
        let numbers: [Int64?] = [
            exchange.response.map { Int64($0.status) } ?? 0, request.startedAt.nanoseconds, total.up.total.bytes,
            total.down.total.bytes, total.up.fields.bytes, total.down.fields.bytes,
            (total.up.cookies + total.down.cookies).bytes, total.encodedBody.bytes, total.decodedBody.bytes,
            total.failures, total.reusedConnections, total.newConnections, timings.total, timings.dns,
            timings.connect, timings.tls, timings.wait, timings.receive,
        ]
        let texts = numbers.map { $0.map { String($0) } ?? "" }
        return
            "\(request.method),\(request.host),\(request.template),\(request.process.name),\(texts[0]),"
            + "\(exchange.response?.contentType ?? "")," + texts.dropFirst().joined(separator: ",") + "\n"
    }

    private static func say(_ done: Int, of all: Int, since start: Int64) {
        let seconds = Double(Usage.wall - start) / 1e9
        let left = seconds / Double(done) * Double(all - done)
        let text = "\(done) of \(all) exchanges, \(Int(Double(done) / seconds)) a second, \(Int(left)) s left\n"
        FileHandle.standardError.write(Data(text.utf8))
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
