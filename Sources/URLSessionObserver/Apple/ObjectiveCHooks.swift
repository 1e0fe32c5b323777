#if canImport(ObjectiveC) || APPLE_STAND_IN
    internal import Foundation
    internal import ObjectiveC
    internal import Synchronization

    /// The hooks in the Objective-C runtime: on the getter of `protocolClasses`, and on `resume`.
    ///
    /// They use public names only. They find the classes that implement a method from live objects, because the
    /// system's own classes are private and change. A hook is removed only while it is the topmost; if other code has
    /// hooked the method after it, it stays installed and does nothing.
    enum ObjectiveCHooks {
        private typealias Getter = @convention(c) (AnyObject, Selector) -> NSArray?
        private typealias Action = @convention(c) (AnyObject, Selector) -> Void

        /// A method whose implementation we replaced.
        ///
        /// `@unchecked Sendable`: it holds pointers into the runtime's tables, which outlive all threads.
        private struct Hook: @unchecked Sendable {
            var method: Method
            var original: IMP
            var replacement: IMP

            /// Removes the hook; returns false if other code has hooked the method after us.
            func remove() -> Bool {
                guard method_getImplementation(method) == replacement else { return false }
                method_setImplementation(method, original)
                imp_removeBlock(replacement)
                return true
            }
        }

        private struct State: @unchecked Sendable {
            var protocolClass: AnyClass?
            var getter: Hook?
            var metrics: MetricsObserver?
            var resumes: [Hook] = []
        }

        private static let state = Mutex(State())
        private static let firstResume = Mutex(())
        // Only the address is used, as a unique key.
        private nonisolated(unsafe) static let resumedKey = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        // MARK: protocolClasses

        /// Makes every configuration return a protocol class as the first of its classes.
        static func insertProtocolClass(_ protocolClass: AnyClass) {
            let isHooked = state.withLock { state in
                state.protocolClass = protocolClass
                return state.getter != nil
            }
            guard !isHooked else { return }
            let selector = NSSelectorFromString("protocolClasses")
            guard let owner = object_getClass(URLSessionConfiguration.default),
                let method = class_getInstanceMethod(owner, selector)
            else { return }
            let original = method_getImplementation(method)
            let call = unsafeBitCast(original, to: Getter.self)
            let block: @convention(block) (AnyObject) -> NSArray? = { configuration in
                inserting(into: call(configuration, selector), of: configuration)
            }
            let replacement = imp_implementationWithBlock(block)
            method_setImplementation(method, replacement)
            state.withLock {
                $0.getter = Hook(method: method, original: original, replacement: replacement)
            }
        }

        /// Removes that class again.
        static func removeProtocolClass() {
            let hook = state.withLock { state in
                state.protocolClass = nil
                return state.getter
            }
            if let hook, hook.remove() { state.withLock { $0.getter = nil } }
        }

        private static func inserting(into classes: NSArray?, of configuration: AnyObject) -> NSArray? {
            // Another process runs background sessions, and it does not have our class.
            let isBackground = (configuration as? URLSessionConfiguration)?.identifier != nil
            guard let ours = state.withLock({ $0.protocolClass }), !isBackground else { return classes }
            let others = (classes as? [AnyClass]) ?? []
            guard !others.contains(where: { $0 is MeteringURLProtocol.Type }) else { return classes }
            return ([ours] + others) as NSArray
        }

        // MARK: resume

        /// From now on, gives every task that is resumed a delegate that takes its metrics.
        static func takeMetrics(for observer: MetricsObserver) {
            let isHooked = state.withLock { state in
                state.metrics = observer
                return !state.resumes.isEmpty
            }
            guard !isHooked, let url = URL(string: "https://localhost/") else { return }
            // These tasks are never resumed. The kinds of task may share one implementation of `resume` or have their
            // own.
            let request = URLRequest(url: url)
            let tasks: [URLSessionTask] = [
                URLSession.shared.dataTask(with: request), URLSession.shared.downloadTask(with: request),
                URLSession.shared.uploadTask(with: request, from: Data()),
            ]
            let selector = NSSelectorFromString("resume")
            var hooks: [Hook] = []
            for task in tasks {
                guard let owner = object_getClass(task), let method = class_getInstanceMethod(owner, selector),
                    !hooks.contains(where: { $0.method == method })
                else { continue }
                hooks.append(hookResume(method, selector))
            }
            for task in tasks { task.cancel() }
            let made = hooks
            state.withLock { $0.resumes = made }
        }

        /// Stops that; running tasks keep their delegate, which no longer reports.
        static func leaveMetrics() {
            let hooks = state.withLock { state in
                state.metrics = nil
                return state.resumes
            }
            let left = hooks.filter { !$0.remove() }
            state.withLock { $0.resumes = left }
        }

        private static func hookResume(_ method: Method, _ selector: Selector) -> Hook {
            let original = method_getImplementation(method)
            let call = unsafeBitCast(original, to: Action.self)
            let block: @convention(block) (AnyObject) -> Void = { task in
                if let task = task as? URLSessionTask { prepare(task) }
                call(task, selector)
            }
            let replacement = imp_implementationWithBlock(block)
            method_setImplementation(method, replacement)
            return Hook(method: method, original: original, replacement: replacement)
        }

        /// Sets the delegate before the first `resume`, because it cannot be set afterwards.
        private static func prepare(_ task: URLSessionTask) {
            guard let observer = state.withLock({ $0.metrics }), task.state == .suspended else { return }
            let isFirst = firstResume.withLock { _ in
                guard objc_getAssociatedObject(task, resumedKey) == nil else { return false }
                objc_setAssociatedObject(task, resumedKey, NSNumber(value: true), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                return true
            }
            // A background session's task must not get a delegate. No public property shows that it is one, so look at
            // the name of its class. If the name should change, that is among the first things to try on a device.
            let isBackground = object_getClass(task).map { NSStringFromClass($0).contains("Background") } ?? true
            guard isFirst, !isBackground, !(task.delegate is MetricsDelegate) else { return }
            task.delegate = MetricsDelegate(wrapping: task.delegate, observer: observer)
            observer.expect(task)
        }
    }
#endif
