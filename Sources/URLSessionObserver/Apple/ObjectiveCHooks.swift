#if canImport(ObjectiveC) || APPLE_STAND_IN
    internal import Foundation
    internal import ObjectiveC
    internal import Synchronization

    /// All that touches the Objective-C runtime: the getter of `protocolClasses`, and `resume`.
    ///
    /// Public names only. The classes that implement a method are found from live objects, because the system's own are
    /// private and change. A hook is taken out only while it is the topmost; where somebody has hooked over it, it stays
    /// and does nothing.
    enum ObjectiveCHooks {
        private typealias Getter = @convention(c) (AnyObject, Selector) -> NSArray?
        private typealias Action = @convention(c) (AnyObject, Selector) -> Void

        /// One method whose implementation is ours.
        ///
        /// `@unchecked Sendable`: pointers into the runtime's tables, which outlive the process's threads.
        private struct Hook: @unchecked Sendable {
            var method: Method
            var original: IMP
            var replacement: IMP

            /// Takes it out; false where somebody has hooked over it.
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
        // An address of our own, never read.
        private nonisolated(unsafe) static let resumedKey = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        // MARK: protocolClasses

        /// Puts a protocol class first in every configuration that is asked for its classes.
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

        /// Takes it out again.
        static func removeProtocolClass() {
            let hook = state.withLock { state in
                state.protocolClass = nil
                return state.getter
            }
            if let hook, hook.remove() { state.withLock { $0.getter = nil } }
        }

        private static func inserting(into classes: NSArray?, of configuration: AnyObject) -> NSArray? {
            // Background sessions are carried out by another process, which knows no class of ours.
            let isBackground = (configuration as? URLSessionConfiguration)?.identifier != nil
            guard let ours = state.withLock({ $0.protocolClass }), !isBackground else { return classes }
            let others = (classes as? [AnyClass]) ?? []
            guard !others.contains(where: { $0 is MeteringURLProtocol.Type }) else { return classes }
            return ([ours] + others) as NSArray
        }

        // MARK: resume

        /// Gives every task that is resumed from now on a delegate that takes its metrics.
        static func takeMetrics(for observer: MetricsObserver) {
            let isHooked = state.withLock { state in
                state.metrics = observer
                return !state.resumes.isEmpty
            }
            guard !isHooked, let url = URL(string: "https://localhost/") else { return }
            // Never resumed. The kinds of task may have an implementation each, or share one.
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

        /// Ends that; tasks that run keep their delegate, which tells nothing any more.
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

        /// Before the first `resume`: afterwards a delegate cannot be set any more.
        private static func prepare(_ task: URLSessionTask) {
            guard let observer = state.withLock({ $0.metrics }), task.state == .suspended else { return }
            let isFirst = firstResume.withLock { _ in
                guard objc_getAssociatedObject(task, resumedKey) == nil else { return false }
                objc_setAssociatedObject(task, resumedKey, NSNumber(value: true), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                return true
            }
            // A background session's task must not be given a delegate. No public property tells; a name that no longer
            // says so is among the first things to try on a device.
            let isBackground = object_getClass(task).map { NSStringFromClass($0).contains("Background") } ?? true
            guard isFirst, !isBackground, !(task.delegate is MetricsDelegate) else { return }
            task.delegate = MetricsDelegate(wrapping: task.delegate, observer: observer)
            observer.expect(task)
        }
    }
#endif
