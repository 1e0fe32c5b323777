internal import TrafficModel

/// Adds up very many exchanges to the same ``TrafficSums`` in half as many instructions.
///
/// Each bucket that a histogram may have has a place of its own, so recording is one addition. That takes 0.4 MB.
final class ManySums {
    /// The histograms, by the order of their counts.
    private enum Lane: Int, CaseIterable {
        case latency, queue, dns, connect, tls, send, wait, receive, unattributed, up, down, total
    }

    // Durations and sizes of 64 bits are in buckets from -960 to 2,016.
    private static let buckets = -1_024..<2_048
    private let counts: UnsafeMutableBufferPointer<Int64>
    @exclusivity(unchecked) private var numbers = TrafficSums()
    @exclusivity(unchecked) private var zeros = [Int64](repeating: 0, count: Lane.allCases.count)
    @exclusivity(unchecked) private var calls: Int64 = 0
    @exclusivity(unchecked) private var least = [Int64](repeating: .max, count: Lane.allCases.count)
    @exclusivity(unchecked) private var largest = [Int64](repeating: 0, count: Lane.allCases.count)

    init() {
        counts = .allocate(capacity: Lane.allCases.count * Self.buckets.count)
        counts.initialize(repeating: 0)
    }

    deinit { counts.deallocate() }

    /// Adds an exchange that has ended, or, without an end, one that is still running.
    func add(_ exchange: borrowing ExchangeFigures, _ end: EndFigures?) {
        guard let end else { return numbers.add(running: exchange) }
        numbers.addNumbers(of: exchange, endedBy: end)
        record(end.timings.total, .latency)
        record(end.timings.queue, .queue)
        record(end.timings.dns, .dns)
        record(end.timings.connect, .connect)
        record(end.timings.tls, .tls)
        record(end.timings.send, .send)
        record(end.timings.wait, .wait)
        record(end.timings.receive, .receive)
        if let rest = end.timings.unattributed, rest > 0 { record(rest, .unattributed) }
        guard let weight = exchange.weight(endedBy: end) else { return }
        calls += 1
        record(weight.up, .up)
        record(weight.down, .down)
        record(weight.total, .total)
    }

    /// The sums of all exchanges.
    var sums: TrafficSums {
        var sums = numbers
        sums.latency = latencies(.latency)
        sums.phases.queue = latencies(.queue)
        sums.phases.dns = latencies(.dns)
        sums.phases.connect = latencies(.connect)
        sums.phases.tls = latencies(.tls)
        sums.phases.send = latencies(.send)
        sums.phases.wait = latencies(.wait)
        sums.phases.receive = latencies(.receive)
        sums.phases.unattributed = latencies(.unattributed)
        sums.perCall.up = sizes(.up)
        sums.perCall.down = sizes(.down)
        sums.perCall.total = sizes(.total)
        return sums
    }

    @inline(__always)
    private func record(_ duration: Int64?, _ lane: Lane) {
        guard let duration else { return }
        if duration > 0 {
            counts[place(LatencyHistogram.bucket(seconds: Double(duration) * 1e-9), lane)] &+= 1
        } else {
            zeros[lane.rawValue] &+= 1
        }
    }

    @inline(__always)
    private func record(_ size: ByteCount, _ lane: Lane) {
        counts[place(ByteHistogram.bucket(size.bytes), lane)] &+= 1
        least[lane.rawValue] = min(least[lane.rawValue], size.bytes)
        largest[lane.rawValue] = max(largest[lane.rawValue], size.bytes)
    }

    @inline(__always)
    private func place(_ bucket: Int, _ lane: Lane) -> Int {
        lane.rawValue * Self.buckets.count + bucket - Self.buckets.lowerBound
    }

    private func latencies(_ lane: Lane) -> LatencyHistogram {
        var histogram = LatencyHistogram()
        histogram.addZeros(zeros[lane.rawValue])
        for bucket in Self.buckets { histogram.add(counts[place(bucket, lane)], to: bucket) }
        return histogram
    }

    private func sizes(_ lane: Lane) -> ByteHistogram {
        var histogram = ByteHistogram(count: calls, least: least[lane.rawValue], largest: largest[lane.rawValue])
        for bucket in Self.buckets { _ = histogram.move(counts[place(bucket, lane)], to: bucket) }
        return histogram
    }
}
