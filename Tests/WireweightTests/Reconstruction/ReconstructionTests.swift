import Foundation
import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// Sizes reconstructed from what Foundation shows, beside what the tap captured.
@Suite("The corpus, reconstructed", .serialized, .oneAtATime)
struct ReconstructionTests {
    @Test("requests and responses are as exact as promised, and no part is off by more than its bound")
    func corpus() async throws {
        let passage = try await ShownPassage.run()
        var up = AccuracyTable()
        var down = AccuracyTable()
        var blind = AccuracyTable()
        for pair in passage.pairs {
            let request = Reconstruction.request(pair.shown.shownRequest, profile: ShownExchange.profile)
            check(request, pair.row.request.size, pair.path)
            up.add(request.size, truth: pair.row.request.size, path: pair.path)
            if request.size.known != pair.row.request.size.known {
                print("UP", pair.path, request.size.summands.map(\.bytes), pair.row.request.size.summands.map(\.bytes))
                print(String(decoding: pair.row.request.fields.bytes.prefix(600), as: UTF8.self))
            }
            guard let truth = pair.row.response?.size,
                let shown = pair.shown.shownResponse(wire: truth.body.bytes.bytes),
                let unaided = pair.shown.shownResponse(wire: nil)
            else { continue }
            let response = Reconstruction.response(shown, profile: ShownExchange.profile)
            check(response, truth, pair.path)
            down.add(response.size, truth: truth, path: pair.path)
            if response.size.known != truth.known {
                print("DOWN", pair.path, response.size.summands.map(\.bytes), truth.summands.map(\.bytes))
            }
            let estimate = Reconstruction.response(unaided, profile: ShownExchange.profile)
            check(estimate, truth, pair.path)
            blind.add(estimate.size, truth: truth, path: pair.path)
        }
        print(up.markdown("requests"))
        print(down.markdown("responses, length of the body captured"))
        print(blind.markdown("responses, decoded body"))
        print("not shown: \(passage.unshown)")
        #expect(passage.pairs.count >= 90)
        #expect(up.total.exactShare >= 0.95)
        #expect(down.total.exactShare >= 0.80)
    }

    private func check(_ estimate: Estimate, _ truth: WireSize, _ path: String) {
        func holds(_ part: KeyPath<WireSize, WireSize.Part>, _ bound: Int64?) -> Bool {
            guard let bound else { return true }
            return abs(estimate.size[keyPath: part].bytes.bytes - truth[keyPath: part].bytes.bytes) <= bound
        }
        let held = [
            holds(\.startLine, estimate.bound.startLine), holds(\.fields, estimate.bound.fields),
            holds(\.cookies, estimate.bound.cookies), holds(\.interim, estimate.bound.interim),
            holds(\.body, estimate.bound.body), holds(\.framing, estimate.bound.framing),
        ]
        if held.contains(false) { Issue.record("\(path): off by more than \(estimate.bound): \(held)") }
    }
}
