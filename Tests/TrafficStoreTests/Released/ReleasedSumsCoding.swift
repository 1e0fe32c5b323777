import TrafficModel

@testable import TrafficStore

extension TrafficSums {
    /// Appends the blob of these sums as 0.1.0 wrote it.
    func appendReleased(to sink: ByteSink) {
        sink.cut(to: 0)
        sink.appendVarint(UInt64(responses))
        sink.appendVarint(UInt64(failures))
        sink.appendVarint(UInt64(notModified))
        sink.appendVarint(UInt64(newConnections))
        sink.appendVarint(UInt64(reusedConnections))
        sink.appendVarint(UInt64(encodedBody.bytes))
        sink.appendVarint(UInt64(decodedBody.bytes))
        up.appendReleased(to: sink)
        down.appendReleased(to: sink)
        latency.append(to: sink)
        phases.dns.append(to: sink)
        phases.connect.append(to: sink)
        phases.tls.append(to: sink)
        phases.wait.append(to: sink)
        phases.receive.append(to: sink)
        // Values that are 0 are left out at the end of the blob.
        let hasPhases = !(phases.queue.isEmpty && phases.send.isEmpty && phases.unattributed.isEmpty)
        let hasUnknown = hasPhases || up.unknown + down.unknown + incomplete > 0
        if sharing > 0 || hasUnknown {
            sink.appendVarint(UInt64(sharing))
            sink.appendVarint(UInt64(overhead.up.bytes))
            sink.appendVarint(UInt64(overhead.down.bytes))
            sink.appendVarint(UInt64(packetHeaders.up.bytes))
            sink.appendVarint(UInt64(packetHeaders.down.bytes))
        }
        if hasUnknown {
            sink.appendVarint(UInt64(up.unknown))
            sink.appendVarint(UInt64(down.unknown))
            sink.appendVarint(UInt64(incomplete))
            sink.appendVarint(UInt64(incompleteUnanswered))
            sink.appendVarint(0)
        }
        if hasPhases {
            phases.queue.append(to: sink)
            phases.send.append(to: sink)
            phases.unattributed.append(to: sink)
        }
    }
}

extension PartTotals {
    /// Appends six sums and the captured bytes; the count of unknown sizes is written elsewhere.
    fileprivate func appendReleased(to sink: ByteSink) {
        sink.appendVarint(UInt64(startLine.bytes))
        sink.appendVarint(UInt64(fields.bytes))
        sink.appendVarint(UInt64(cookies.bytes))
        sink.appendVarint(UInt64(interim.bytes))
        sink.appendVarint(UInt64(body.bytes))
        sink.appendVarint(UInt64(framing.bytes))
        sink.appendVarint(UInt64(captured.bytes))
    }
}
