#if canImport(SwiftUI) && canImport(WebKit)
    internal import SwiftUI
    internal import TrafficInspector
    internal import Wireweight
    internal import WireweightInspector

    /// A file to share, in a folder of its own, which goes with the last reference to it.
    final class SharedFile: Identifiable, Sendable {
        let url: URL
        private let folder: URL

        private init(in folder: URL, path: String) {
            self.folder = folder
            url = URL(fileURLWithPath: path)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Saves an answer of the page.
        static func saving(_ target: String, of page: InspectorPage) async throws -> SharedFile {
            let folder = try makeFolder()
            return SharedFile(in: folder, path: try await page.save(target, in: folder.path))
        }

        /// Copies a monitor's store, which the command `wireweight` reads.
        static func copying(_ monitor: TrafficMonitor) async throws -> SharedFile {
            let folder = try makeFolder()
            let path = folder.appendingPathComponent("traffic.db").path
            try await monitor.copyStore(to: path)
            return SharedFile(in: folder, path: path)
        }

        private static func makeFolder() throws -> URL {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("wireweight-\(UUID().uuidString)", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
    }

    /// Offers a file to the system's share sheet.
    struct SharedFileView: View {
        let file: SharedFile

        var body: some View {
            VStack(spacing: 16) {
                Text(file.url.lastPathComponent)
                ShareLink(item: file.url)
            }
            .padding()
        }
    }
#endif
