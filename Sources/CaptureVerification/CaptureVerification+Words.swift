import TextFormats
import TrafficModel

extension CaptureVerification {
    /// The result, in a sentence.
    package var conclusion: String {
        let agreeing = rows.count { $0.verdict == .agrees }
        if isPassed {
            return rows.count == 1
                ? "the metered connection agrees to the byte"
                : "all \(Units.count(Int64(rows.count))) metered connections agree to the byte"
        }
        return "\(Units.count(Int64(agreeing))) of \(Units.count(Int64(rows.count))) metered connections "
            + (agreeing == 1 ? "agrees" : "agree") + " to the byte"
    }

    /// What is wrong with the capture as a whole, and what to do; nil if it contains some of the metered connections.
    package var mismatch: String? {
        guard !rows.isEmpty, rows.allSatisfy({ $0.verdict == .uncaptured }) else { return nil }
        guard let begin = tally.begin, let end = tally.end else {
            return
                "the capture has no TCP packets: was it made on another interface, or with a filter that leaves them out?"
        }
        let opened = rows.compactMap(\.record).map(\.openedAt)
        let closed = rows.compactMap(\.record).compactMap(\.closedAt)
        if let last = closed.max(), closed.count == rows.count, last < begin {
            return "the capture began at \(begin.iso8601), when all metered connections were over "
                + "(the last at \(last.iso8601)): start it before the program"
        }
        if let first = opened.min(), end < first {
            return "the capture ended at \(end.iso8601), before the first metered connection "
                + "(\(first.iso8601)): stop it after the program"
        }
        let place = facts.interfaces.isEmpty ? "" : " on \(facts.interfaces.joined(separator: ", "))"
        let count = tally.connections.count
        return "none of the metered connections is in the capture, which has \(Units.count(Int64(count))) other "
            + "\(count == 1 ? "connection" : "connections") of that time\(place): capture on the interface that leads to "
            + peers
    }

    private var peers: String {
        let addresses = Set(rows.map(\.remote.text)).sorted()
        return addresses.prefix(3).joined(separator: ", ") + (addresses.count > 3 ? ", …" : "")
    }

    /// Other remarks about the capture.
    package var remarks: [String] {
        var texts: [String] = []
        if let dropped = facts.dropped, dropped > 0 {
            texts.append(
                "the capture says that it lost \(Units.count(dropped)) packets: record again with a larger buffer "
                    + "(dumpcap -B 256)")
        }
        if tally.unreadable > 0 {
            texts.append(
                "\(Units.count(Int64(tally.unreadable))) TCP packets are cut before their ports: record again with a larger "
                    + "snapshot length")
        }
        if others > 0 {
            texts.append(
                "\(Units.count(Int64(others))) \(others == 1 ? "connection" : "connections") to other servers in the "
                    + "capture \(others == 1 ? "is" : "are") left out")
        }
        return texts
    }
}
