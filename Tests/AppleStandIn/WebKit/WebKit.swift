// WebKit, as far as WireweightUI uses it; declarations only, from the headers of WebKit's own repository
// (Source/WebKit/UIProcess/API/Cocoa: WKWebView.h, WKWebViewConfiguration.h, WKURLSchemeHandler.h, WKURLSchemeTask.h,
// WKNavigationDelegate.h, WKNavigationAction.h, WKWebsiteDataStore.h), which mark these types for the main actor.
// swift-format-ignore-file
@_exported import Foundation
import CoreGraphics
#if os(macOS)
import AppKit
public typealias StandInPlatformView = NSView
#else
import UIKit
public typealias StandInPlatformView = UIView
#endif

@MainActor public class WKNavigation: NSObject {}

@MainActor open class WKWebView: StandInPlatformView {
    public init(frame: CGRect, configuration: WKWebViewConfiguration) { fatalError() }
    public weak var navigationDelegate: (any WKNavigationDelegate)?
    @discardableResult public func load(_ request: URLRequest) -> WKNavigation? { fatalError() }
}

@MainActor open class WKWebViewConfiguration: NSObject {
    public override init() { fatalError() }
    public var websiteDataStore: WKWebsiteDataStore
    public func setURLSchemeHandler(_ urlSchemeHandler: (any WKURLSchemeHandler)?, forURLScheme urlScheme: String) { fatalError() }
}

@MainActor open class WKWebsiteDataStore: NSObject {
    public class func nonPersistent() -> WKWebsiteDataStore { fatalError() }
}

@MainActor public protocol WKURLSchemeHandler: NSObjectProtocol {
    func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask)
    func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask)
}

@MainActor public protocol WKURLSchemeTask: NSObjectProtocol {
    var request: URLRequest { get }
    func didReceive(_ response: URLResponse)
    func didReceive(_ data: Data)
    func didFinish()
    func didFailWithError(_ error: any Error)
}

@objc public enum WKNavigationActionPolicy: Int, Sendable {
    case cancel = 0, allow = 1, download = 2
}

@MainActor open class WKNavigationAction: NSObject {
    public var request: URLRequest { fatalError() }
    public var shouldPerformDownload: Bool { fatalError() }
}

@objc @MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    @objc(webView:decidePolicyForNavigationAction:decisionHandler:) optional func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy
}
