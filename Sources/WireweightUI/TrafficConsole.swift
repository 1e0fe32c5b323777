#if canImport(SwiftUI) && canImport(WebKit)
    public import SwiftUI
    internal import TrafficInspector
    public import Wireweight
    internal import WireweightInspector

    /// What a monitor has metered, on the device itself: the inspector's page, and a menu that shares files.
    ///
    /// The page runs in a web view that asks this process, so no port is open. Content comes in pieces of 64 KiB, and is
    /// read outside the main thread.
    public struct TrafficConsole: View {
        private let given: TrafficMonitor?
        @State private var page: InspectorPage?
        @State private var problem: String?
        @State private var isPreparing = false
        @State private var shared: SharedFile?

        /// Makes a view of a monitor's store, or else of the store of the monitor that runs when the view appears.
        public init(_ monitor: TrafficMonitor? = nil) { given = monitor }

        private var monitor: TrafficMonitor? { given ?? .running }

        /// The page, or why there is none.
        public var body: some View {
            NavigationStack {
                VStack(spacing: 0) {
                    if let problem { Text(problem).padding() }
                    if let page { PageView(page: page) { target in share { try await .saving(target, of: page) } } }
                }
                .navigationTitle("Traffic")
                .toolbar {
                    ToolbarItem(placement: .primaryAction) { menu }
                }
            }
            .task { open() }
            .sheet(item: $shared) { file in
                SharedFileView(file: file)
            }
        }

        @ViewBuilder private var menu: some View {
            if isPreparing {
                ProgressView()
            } else {
                Menu {
                    if let page {
                        Button("HAR") { share { try await .saving("/api/v1/export?format=har", of: page) } }
                        Button("Report") { share { try await .saving(Self.report, of: page) } }
                    }
                    if let monitor { Button("Store") { share { try await .copying(monitor) } } }
                } label: {
                    Label("Share", systemImage: "square.and.arrow.up")
                }
            }
        }

        /// A report with times of this device's time zone.
        private static var report: String { "/api/v1/report?zone=\(TimeZone.current.secondsFromGMT() / 60)" }

        private func open() {
            guard page == nil else { return }
            guard let monitor else {
                problem = "No monitor runs in this app. Start one: TrafficMonitor.start()"
                return
            }
            do {
                page = try monitor.inspectorPage()
            } catch {
                problem = error.message
            }
        }

        private func share(_ prepare: @escaping @Sendable () async throws -> SharedFile) {
            guard !isPreparing else { return }
            isPreparing = true
            problem = nil
            Task {
                do {
                    shared = try await prepare()
                } catch {
                    problem = "\(error)"
                }
                isPreparing = false
            }
        }
    }
#endif
