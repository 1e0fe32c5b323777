// AppKit, as far as WireweightUI uses it; declarations only, from Apple's documentation of the class.
// swift-format-ignore-file
@_exported import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSView: NSResponder {}
