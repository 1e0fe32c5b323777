import AppTraffic
import SwiftUI
import Wireweight

/// Shows the bytes of each API, largest first; for builds that testers get.
struct TrafficView: View {
    let traffic: AppTraffic
    @State private var apis: [TrafficTotal] = []

    var body: some View {
        List {
            ForEach(apis, id: \.key) { api in
                LabeledContent(name(of: api), value: weight(of: api))
            }
        }
        .navigationTitle("Traffic")
        .task {
            apis = (try? await traffic.apis()) ?? []
        }
    }

    private func name(of api: TrafficTotal) -> String {
        [api.key.method, api.key.template].compactMap(\.self).joined(separator: " ")
    }

    /// The bytes as text; sizes that are not captured are marked.
    private func weight(of api: TrafficTotal) -> String {
        (api.isEstimated ? "~ " : "") + api.weight.bytes.formatted(.byteCount(style: .file))
    }
}
