#if canImport(SwiftUI) && canImport(WebKit)
    internal import Foundation
    internal import TrafficInspector
    internal import WebKit

    /// Answers the web view's requests with an ``InspectorPage``.
    @MainActor final class PageSchemeHandler: NSObject, WKURLSchemeHandler {
        private let page: InspectorPage
        // The requests that are being answered. WebKit raises an exception if a stopped one gets an answer.
        private var running: [ObjectIdentifier: Task<Void, Never>] = [:]

        init(_ page: InspectorPage) { self.page = page }

        func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
            let id = ObjectIdentifier(urlSchemeTask)
            running[id] = Task {
                await answer(urlSchemeTask, id)
                running[id] = nil
            }
        }

        func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {
            running.removeValue(forKey: ObjectIdentifier(urlSchemeTask))?.cancel()
        }

        // Between two points of suspension, only this thread's code can stop the request.
        private func answer(_ task: any WKURLSchemeTask, _ id: ObjectIdentifier) async {
            let request = task.request
            guard let url = request.url, let target = InspectorPage.target(of: url.absoluteString) else {
                return task.didFailWithError(URLError(.badURL))
            }
            let answer = await page.answer(
                method: request.httpMethod ?? "GET", target: target, fields: request.allHTTPHeaderFields ?? [:],
                body: Array(request.httpBody ?? Data()))
            guard running[id] != nil else { return }
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(answer.fields.map { ($0.name, $0.value) }) { first, _ in first })
            guard let response else { return task.didFailWithError(URLError(.badServerResponse)) }
            task.didReceive(response)
            do {
                while let piece = try await answer.next() {
                    guard running[id] != nil else { return }
                    task.didReceive(Data(piece))
                }
                if running[id] != nil { task.didFinish() }
            } catch {
                if running[id] != nil { task.didFailWithError(error) }
            }
        }
    }
#endif
