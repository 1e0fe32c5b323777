// UIKit, as far as WireweightUI uses it; declarations only, from Apple's documentation of each class. Packages that import
// it in function bodies alone need nothing of it, because these are left out.
// swift-format-ignore-file
@_exported import Foundation

public class NSCoder: NSObject {}

@MainActor open class UIResponder: NSObject {
    open var canBecomeFirstResponder: Bool { fatalError() }
    @discardableResult open func becomeFirstResponder() -> Bool { fatalError() }
    open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { fatalError() }
}

#if os(iOS)
    extension UIResponder {
        public nonisolated class var keyboardDidHideNotification: Notification.Name { fatalError() }
    }
#endif

@MainActor open class UIEvent: NSObject {
    public enum EventSubtype: Int, Sendable {
        case none = 0, motionShake = 1
    }
}

@MainActor open class UIView: UIResponder {
    open var window: UIWindow? { fatalError() }
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open func viewDidLoad() { fatalError() }
    open func viewDidAppear(_ animated: Bool) { fatalError() }
    open var viewIfLoaded: UIView? { fatalError() }
}
