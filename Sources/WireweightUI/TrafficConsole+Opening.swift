#if canImport(SwiftUI) && canImport(WebKit)
    public import SwiftUI
    public import Wireweight

    #if os(macOS)
        /// A window with a ``TrafficConsole``, which the Window menu opens.
        public struct TrafficConsoleWindow: Scene {
            private let monitor: TrafficMonitor?

            /// Makes a window for a monitor's store, or else for that of the running monitor.
            public init(_ monitor: TrafficMonitor? = nil) { self.monitor = monitor }

            /// The window.
            public var body: some Scene {
                Window("Traffic", id: "wireweight.traffic") { TrafficConsole(monitor) }
            }
        }
    #elseif os(iOS)
        internal import Foundation
        internal import UIKit

        extension View {
            /// Opens a ``TrafficConsole`` over this view when the device is shaken.
            ///
            /// While a text is edited, the shake belongs to the text field, which offers to undo. Without a monitor, it shows
            /// the one that runs then.
            public func trafficConsoleOnShake(_ monitor: TrafficMonitor? = nil) -> some View {
                modifier(ConsoleOnShake(monitor: monitor))
            }
        }

        struct ConsoleOnShake: ViewModifier {
            let monitor: TrafficMonitor?
            @State private var isOpen = false

            func body(content: Content) -> some View {
                content
                    .background(ShakeView { isOpen = true })
                    .sheet(isPresented: $isOpen) { TrafficConsole(monitor) }
            }
        }

        /// Has no size, and hears of shakes.
        struct ShakeView: UIViewControllerRepresentable {
            let shaken: @MainActor () -> Void

            func makeUIViewController(context: Context) -> ShakeController { ShakeController(shaken) }
            func updateUIViewController(_ controller: ShakeController, context: Context) {}
        }

        final class ShakeController: UIViewController {
            private let shaken: @MainActor () -> Void

            init(_ shaken: @escaping @MainActor () -> Void) {
                self.shaken = shaken
                super.init(nibName: nil, bundle: nil)
            }

            required init?(coder: NSCoder) { nil }

            override var canBecomeFirstResponder: Bool { true }

            override func viewDidLoad() {
                super.viewDidLoad()
                // A text field gets the shakes while it is edited, and afterwards no controller does.
                NotificationCenter.default.addObserver(
                    self, selector: #selector(listen), name: UIResponder.keyboardDidHideNotification, object: nil)
            }

            override func viewDidAppear(_ animated: Bool) {
                super.viewDidAppear(animated)
                listen()
            }

            @objc private func listen() {
                if viewIfLoaded?.window != nil { becomeFirstResponder() }
            }

            override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
                if motion == .motionShake { shaken() } else { super.motionEnded(motion, with: event) }
            }
        }
    #endif
#endif
