#if canImport(SwiftUI) && canImport(WebKit)
    internal import SwiftUI
    internal import TrafficInspector
    internal import WebKit

    /// The inspector's page in a web view.
    @MainActor struct PageView {
        let page: InspectorPage
        /// Takes the address of what the page wants to save.
        let save: @MainActor (String) -> Void

        func makeCoordinator() -> PageNavigation { PageNavigation(save: save) }

        private func makeView(_ navigation: PageNavigation) -> WKWebView {
            let configuration = WKWebViewConfiguration()
            configuration.setURLSchemeHandler(PageSchemeHandler(page), forURLScheme: InspectorPage.scheme)
            // The page leaves nothing in the data of the program's own web views.
            configuration.websiteDataStore = .nonPersistent()
            let view = WKWebView(frame: .zero, configuration: configuration)
            view.navigationDelegate = navigation
            if let url = URL(string: InspectorPage.address) { view.load(URLRequest(url: url)) }
            return view
        }
    }

    #if os(macOS)
        extension PageView: NSViewRepresentable {
            func makeNSView(context: Context) -> WKWebView { makeView(context.coordinator) }
            func updateNSView(_ view: WKWebView, context: Context) {}
        }
    #else
        extension PageView: UIViewRepresentable {
            func makeUIView(context: Context) -> WKWebView { makeView(context.coordinator) }
            func updateUIView(_ view: WKWebView, context: Context) {}
        }
    #endif

    /// Keeps the web view on the page.
    @MainActor final class PageNavigation: NSObject, WKNavigationDelegate {
        private let save: @MainActor (String) -> Void

        init(save: @escaping @MainActor (String) -> Void) { self.save = save }

        func webView(
            _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
        ) async -> WKNavigationActionPolicy {
            let url = navigationAction.request.url?.absoluteString ?? ""
            guard let target = InspectorPage.target(of: url) else { return .cancel }
            guard navigationAction.shouldPerformDownload else { return .allow }
            save(target)
            return .cancel
        }
    }
#endif
