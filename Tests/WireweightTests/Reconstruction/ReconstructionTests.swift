import EarlierMonitors
import Foundation
import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// Sizes reconstructed from what Foundation shows, beside what the tap captured.
@Suite("The corpus, reconstructed", .serialized, .oneAtATime)
struct ReconstructionTests {
    /// Cases in which the origin writes as no server should, which is what they are for; see ``Estimate/usualBound``.
    static let unusual: Set<String> = [
        "chunked-extensions", "chunked-spelled-sizes", "continue-unasked", "early-hints", "several-interims",
        "interim-long-before", "interim-with-cookie", "reason-long", "fields-padded-left",
        "fields-padded-with-tabs", "fields-folded", "fields-set-cookie-spellings", "fields-set-cookie-padded",
    ]

    @Test("requests and responses are as exact as promised, and no part is off by more than its bound")
    func corpus() async throws {
        let passage = try await ShownPassage.run()
        var up = AccuracyTable()
        var down = AccuracyTable()
        var unaided = AccuracyTable()
        for pair in passage.pairs {
            let truth = pair.row.request.size
            let request = Reconstruction.request(pair.shown.shownRequest, profile: ShownExchange.profile)
            up.add(request.size, truth: truth, path: pair.path)
            check(request, truth, pair.path)
            guard let truth = pair.row.response?.size else { continue }
            for wire in [truth.body.bytes.bytes, nil] {
                guard let shown = pair.shown.shownResponse(wire: wire) else { continue }
                let response = Reconstruction.response(shown, profile: ShownExchange.profile)
                if wire == nil {
                    unaided.add(response.size, truth: truth, path: pair.path)
                } else {
                    down.add(response.size, truth: truth, path: pair.path)
                }
                check(response, truth, pair.path)
            }
        }
        printBounds(passage)
        print("\(passage.exchanges) exchanges, \(passage.pairs.count) of them different")
        print(up.markdown("requests"))
        print(down.markdown("responses, the length of the body captured"))
        print(unaided.markdown("responses, the body decoded"))
        printEarlier(passage, up: up, down: unaided)
        #expect(passage.unshown == 0)
        #expect(passage.pairs.count >= 120)
        #expect(up.total.exactShare >= 0.95)
        #expect(down.total.exactShare >= 0.80)
    }

    private func check(_ estimate: Estimate, _ truth: WireSize, _ path: String) {
        let off = estimate.partsOff(truth, by: estimate.bound)
        if !off.isEmpty { Issue.record("\(path): off in \(off)") }
        let unusual = estimate.partsOff(truth, by: estimate.usualBound)
        if !unusual.isEmpty, !Self.unusual.contains(String(path.dropFirst(7))) {
            Issue.record("\(path): off in \(unusual), though nothing in it is unusual")
        }
        let evidences = Set(
            AccuracyTable.parts.map { estimate.size[keyPath: $0.path].evidence })
        #expect(evidences.isSubset(of: [.reconstructed, .unknown]))
    }

    /// For how many parts there is a bound at all, and how many are within it: one that is nil proves nothing.
    private func printBounds(_ passage: ShownPassage) {
        print("| bound | parts | bounded | within |\n| --- | --- | --- | --- |")
        for (title, bound) in [("hard", \Estimate.bound), ("usual", \Estimate.usualBound)] {
            var sums = ["requests", "responses"].map { (name: $0, parts: 0, bounded: 0, off: 0) }
            for pair in passage.pairs {
                guard let down = pair.row.response?.size, let shown = pair.shown.shownResponse(wire: nil) else {
                    continue
                }
                let profile = ShownExchange.profile
                let estimates = [
                    (Reconstruction.request(pair.shown.shownRequest, profile: profile), pair.row.request.size),
                    (Reconstruction.response(shown, profile: profile), down),
                ]
                for (index, (estimate, truth)) in estimates.enumerated() {
                    let limits = estimate[keyPath: bound]
                    let all = [
                        limits.startLine, limits.fields, limits.cookies, limits.interim, limits.body, limits.framing,
                    ]
                    sums[index].parts += all.count
                    sums[index].bounded += all.count { $0 != nil }
                    sums[index].off += estimate.partsOff(truth, by: limits).count
                }
            }
            for sum in sums {
                print("| \(title), \(sum.name) | \(sum.parts) | \(sum.bounded) | \(sum.bounded - sum.off) |")
            }
        }
    }

    /// The same for the formulas of earlier monitors.
    private func printEarlier(_ passage: ShownPassage, up: AccuracyTable, down: AccuracyTable) {
        var requests = [up.line("this project")]
        var responses = [down.line("this project")]
        for monitor in EarlierMonitor.all {
            var up = AccuracyTable()
            var down = AccuracyTable()
            for pair in passage.pairs {
                guard let seen = pair.shown.seen(row: pair.row), let truth = pair.row.response?.size else { continue }
                if let request = monitor.request {
                    up.add(WireSize(request(seen)), truth: pair.row.request.size, path: pair.path)
                }
                down.add(WireSize(monitor.response(seen)), truth: truth, path: pair.path)
            }
            if monitor.request != nil { requests.append(up.line(monitor.name)) }
            responses.append(down.line(monitor.name))
        }
        print("requests\n\n\(AccuracyTable.header)\n\(requests.joined(separator: "\n"))\n")
        print("responses\n\n\(AccuracyTable.header)\n\(responses.joined(separator: "\n"))\n")
    }
}

extension WireSize {
    /// A monitor's figures; what it leaves out is missing.
    fileprivate init(_ figures: EarlierMonitor.Figures) {
        func part(_ bytes: Int64?) -> Part { Part(ByteCount(bytes ?? 0), .reconstructed) }
        self.init(
            startLine: part(figures.startLine), fields: part(figures.fields), cookies: part(0), interim: part(0),
            body: part(figures.body), framing: part(0))
    }
}
