#if canImport(ObjectiveC)
    internal import CTaskDelegates
    internal import Foundation
    internal import ObjectiveC
    internal import Locks

    /// The hooks in the Objective-C runtime: on the getter of `protocolClasses`, and on `resume`.
    ///
    /// They use public names only. They find the classes that implement a method from live objects, because the
    /// system's own classes are private and change. A hook stays installed: a thread may be about to run it, and other
    /// code may have hooked the method after it. While nothing is metered it passes calls through.
    enum ObjectiveCHooks {
        private typealias Getter = @convention(c) (AnyObject, Selector) -> NSArray?
        private typealias Action = @convention(c) (AnyObject, Selector) -> Void

        // `@unchecked Sendable`: it holds pointers into the runtime's tables, which outlive all threads.
        private struct State: @unchecked Sendable {
            var observer: URLProtocolObserver?
            /// The getter of `protocolClasses` as it was; nil before it is hooked.
            var getter: Getter?
            var metrics: MetricsObserver?
            /// The methods that are hooked.
            var resumes: [Method] = []
        }

        private static let state = Mutex(State())
        private static let firstResume = Mutex(())
        private static let firstUse = Mutex(())
        // Only their addresses are used, as unique keys.
        private nonisolated(unsafe) static let resumedKey = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
        private nonisolated(unsafe) static let classKey = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        // MARK: protocolClasses

        /// Makes every configuration return a class of an observer's as the first of its protocol classes.
        static func insertProtocolClasses(of observer: URLProtocolObserver) {
            let isHooked = state.withLock { state in
                state.observer = observer
                return state.getter != nil
            }
            guard !isHooked else { return }
            let selector = NSSelectorFromString("protocolClasses")
            guard let owner = object_getClass(URLSessionConfiguration.default),
                let method = class_getInstanceMethod(owner, selector)
            else { return }
            let call = unsafeBitCast(method_getImplementation(method), to: Getter.self)
            let block: @convention(block) (AnyObject) -> NSArray? = { configuration in
                inserting(into: call(configuration, selector), of: configuration)
            }
            // Before the hook, whose calls read it.
            state.withLock { $0.getter = call }
            method_setImplementation(method, imp_implementationWithBlock(block))
        }

        /// Stops that.
        static func removeProtocolClasses() { state.withLock { $0.observer = nil } }

        /// The protocol classes of a configuration, without the one that is inserted here.
        static func protocolClasses(of configuration: URLSessionConfiguration) -> [AnyClass] {
            guard let getter = state.withLock({ $0.getter }) else { return configuration.protocolClasses ?? [] }
            return (getter(configuration, NSSelectorFromString("protocolClasses")) as? [AnyClass]) ?? []
        }

        private static func inserting(into classes: NSArray?, of configuration: AnyObject) -> NSArray? {
            // Another process runs background sessions, and it does not have our class.
            guard let observer = state.withLock({ $0.observer }),
                let configuration = configuration as? URLSessionConfiguration, configuration.identifier == nil
            else { return classes }
            let others = (classes as? [AnyClass]) ?? []
            guard !others.contains(where: { $0 is MeteringURLProtocol.Type }),
                let ours = protocolClass(for: configuration, of: observer)
            else { return classes }
            return
                ([ours] + ForeignClasses.removingOurs(from: others, andOthers: !observer.keepsOtherClasses)) as NSArray
        }

        /// The class for a session's configuration, which it keeps.
        ///
        /// A session has a copy of the configuration that it was made with, so each session has a class.
        private static func protocolClass(
            for configuration: URLSessionConfiguration, of observer: URLProtocolObserver
        ) -> AnyClass? {
            firstUse.withLock { _ in
                let known = objc_getAssociatedObject(configuration, classKey) as? ConfigurationClass
                if let known {
                    observer.adopt(known.type)
                    return known.type
                }
                guard let type = observer.protocolClass(following: configuration) else { return nil }
                objc_setAssociatedObject(
                    configuration, classKey, ConfigurationClass(type), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                return type
            }
        }

        /// A class as an object, for a configuration to hold.
        private final class ConfigurationClass: NSObject {
            let type: MeteringURLProtocol.Type
            init(_ type: MeteringURLProtocol.Type) { self.type = type }
        }

        // MARK: resume

        /// From now on, gives every task that is resumed a delegate that takes its metrics.
        static func takeMetrics(for observer: MetricsObserver) {
            let isHooked = state.withLock { state in
                state.metrics = observer
                return !state.resumes.isEmpty
            }
            guard !isHooked, let url = URL(string: "https://localhost/") else { return }
            let selector = NSSelectorFromString("resume")
            var hooked: [Method] = []
            for session in sessions() {
                // These tasks are never resumed. The kinds of task may share one implementation of `resume` or have
                // their own.
                let request = URLRequest(url: url)
                let tasks: [URLSessionTask] = [
                    session.dataTask(with: request), session.downloadTask(with: request),
                    session.uploadTask(with: request, from: Data()),
                ]
                for task in tasks {
                    guard let owner = object_getClass(task), let method = class_getInstanceMethod(owner, selector),
                        !hooked.contains(method)
                    else { continue }
                    hookResume(method, selector)
                    hooked.append(method)
                }
                for task in tasks { task.cancel() }
                if session !== URLSession.shared { session.finishTasksAndInvalidate() }
            }
            let made = hooked
            state.withLock { $0.resumes = made }
        }

        /// A session for each of the system's loaders: that of iOS 18.4 has classes of its own.
        private static func sessions() -> [URLSession] {
            let configuration = URLSessionConfiguration.default
            guard configuration.responds(to: NSSelectorFromString("setUsesClassicLoadingMode:")) else {
                return [.shared]
            }
            configuration.setValue(false, forKey: "usesClassicLoadingMode")
            return [.shared, URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)]
        }

        /// Stops that; running tasks keep their delegate, which no longer reports.
        static func leaveMetrics(of observer: MetricsObserver) {
            // A later observer may have taken over.
            state.withLock { if $0.metrics === observer { $0.metrics = nil } }
        }

        private static func hookResume(_ method: Method, _ selector: Selector) {
            let call = unsafeBitCast(method_getImplementation(method), to: Action.self)
            let block: @convention(block) (AnyObject) -> Void = { task in
                // A caller may let go of the task on another thread meanwhile (getsentry/sentry-cocoa#9009).
                let kept = Unmanaged.passRetained(task)
                defer { kept.release() }
                prepare(task)
                call(task, selector)
            }
            method_setImplementation(method, imp_implementationWithBlock(block))
        }

        private static func isFirstResume(of task: AnyObject) -> Bool {
            firstResume.withLock { _ in
                guard objc_getAssociatedObject(task, resumedKey) == nil else { return false }
                objc_setAssociatedObject(task, resumedKey, NSNumber(value: true), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                return true
            }
        }

        /// Sets the delegate before the first `resume`, because it cannot be set afterwards.
        ///
        /// A task that cannot get one is counted as a loss.
        private static func prepare(_ task: AnyObject) {
            guard let observer = state.withLock({ $0.metrics }), isFirstResume(of: task) else { return }
            // Tasks of the new loader are none of this class when a program runs, although the SDK declares them so
            // (DataDog/dd-sdk-ios#3017, getsentry/sentry-cocoa#8845).
            guard let task = task as? URLSessionTask else { return observer.miss() }
            switch ResumeDecision(task) {
            case .pass: return
            case .miss: observer.miss()
            case .takeMetrics:
                let delegate = MetricsDelegate(wrapping: task.delegate, observer: observer)
                // No property shows that a task was resumed and suspended before it sent anything. Foundation knows.
                guard set(delegate, of: task) else { return observer.miss() }
                observer.expect(task)
            }
        }

        private static func set(_ delegate: MetricsDelegate, of task: URLSessionTask) -> Bool {
            wwt_set_delegate(
                Unmanaged.passUnretained(task).toOpaque(), Unmanaged.passUnretained(delegate).toOpaque())
        }
    }
#endif
