internal import Dispatch
internal import Foundation
internal import HTTPWire
internal import Locks
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The state for the requests of one metered configuration: the session that sends them, and their observer.
final class MeteredConfiguration: Sendable {
    /// A configuration as its session has it.
    private struct Settled {
        /// The application's configuration without our protocol class.
        var configuration: URLSessionConfiguration
        /// Those of ``classes`` that the application added.
        var ownClasses: [URLProtocol.Type]
        /// The protocol classes that Foundation would ask without ours, in order.
        var classes: [URLProtocol.Type]

        init(_ configuration: URLSessionConfiguration, keepsOthers: Bool) {
            let copy = configuration.copy() as? URLSessionConfiguration ?? .default
            let others = ForeignClasses.removingOurs(from: Self.protocolClasses(of: copy), andOthers: !keepsOthers)
            copy.protocolClasses = others
            #if !canImport(ObjectiveC)
                // Foundation for Linux looks for credentials when a protocol class finishes with 401. If the inner
                // session had used them already, it would try them once more.
                copy.urlCredentialStorage = nil
            #endif
            let system = Self.protocolClasses(of: .default)
            classes = others.compactMap { $0 as? URLProtocol.Type }
            ownClasses = classes.filter { own in
                !system.contains { ObjectIdentifier($0) == ObjectIdentifier(own) }
            }
            self.configuration = copy
        }

        private static func protocolClasses(of configuration: URLSessionConfiguration) -> [AnyClass] {
            #if canImport(ObjectiveC)
                ObjectiveCHooks.protocolClasses(of: configuration)
            #else
                configuration.protocolClasses ?? []
            #endif
        }
    }

    private enum Source {
        case changing(URLSessionConfiguration)
        case settled(Settled)
    }

    let observer: URLProtocolObserver
    private let source: Mutex<Source>
    private let inner = Mutex<InnerSession?>(nil)
    /// Starts, suspends, resumes and cancels inner tasks.
    ///
    /// It is serial, and not the queue that the outer task waits on, where Foundation for Linux would deadlock or trap.
    /// All loads share it, because one queue for each load would use up the threads that the loads need to finish.
    let control = DispatchQueue(label: "URLSessionObserver.control")

    /// Takes the configuration as it is now.
    init(observer: URLProtocolObserver, configuration: URLSessionConfiguration) {
        self.observer = observer
        source = Mutex(.settled(Settled(configuration, keepsOthers: observer.keepsOtherClasses)))
    }

    /// Takes the configuration as it is at the first request, because its owner may still change it.
    init(observer: URLProtocolObserver, following configuration: URLSessionConfiguration) {
        self.observer = observer
        source = Mutex(.changing(configuration))
    }

    /// The same configuration, for another observer.
    init(observer: URLProtocolObserver, movedFrom other: MeteredConfiguration) {
        self.observer = observer
        source = Mutex(other.source.withLock { $0 })
    }

    private var settled: Settled {
        let configuration: URLSessionConfiguration
        switch source.withLock({ $0 }) {
        case .settled(let settled): return settled
        case .changing(let changing): configuration = changing
        }
        // Outside the lock: reading a configuration's classes may come back here.
        let made = Settled(configuration, keepsOthers: observer.keepsOtherClasses)
        return source.withLock { source in
            if case .settled(let first) = source { return first }
            source = .settled(made)
            return made
        }
    }

    private var configuration: URLSessionConfiguration { settled.configuration }

    /// Whether a protocol class of the application takes the request; we must not come before it.
    func leaves(_ request: URLRequest) -> Bool { settled.ownClasses.contains { $0.canInit(with: request) } }

    #if canImport(ObjectiveC)
        /// Whether tasks wait for a connection, which the system reports to their delegate.
        var waits: Bool { configuration.waitsForConnectivity }
    #endif

    /// The class that would load a request without ours; nil if there is none.
    func loader(for request: URLRequest) -> (URLProtocol.Type)? { settled.classes.first { $0.canInit(with: request) } }

    var surroundings: ExchangeReporter.Surroundings {
        let configuration = configuration
        let additional = configuration.httpAdditionalHeaders ?? [:]
        #if canImport(ObjectiveC)
            let storage = configuration.httpCookieStorage
        #else
            // Foundation for Linux adds cookies to a request when its task is made, so the task's request shows them.
            let storage: HTTPCookieStorage? = nil
        #endif
        return ExchangeReporter.Surroundings(
            additionalFields: additional.map { ShownField("\($0.key)", "\($0.value)") }, cookieStorage: storage,
            wantsCookies: configuration.httpShouldSetCookies)
    }

    /// Adds the session's cookies to a request that follows a redirect, as Foundation does for a task without a
    /// delegate.
    func settingCookies(on request: URLRequest) -> URLRequest {
        let configuration = configuration
        guard configuration.httpShouldSetCookies, let url = request.url,
            let cookies = configuration.httpCookieStorage?.cookies(for: url),
            let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !value.isEmpty
        else { return request }
        var request = request
        request.setValue(value, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Makes a task of the inner session; call it on ``control``.
    func makeTask(_ request: URLRequest, for load: Load) -> URLSessionDataTask? {
        let configuration = configuration
        let session = inner.withLock { inner in
            if let inner { return inner }
            let made = InnerSession(configuration: configuration)
            inner = made
            return made
        }
        return session.makeTask(request, for: load)
    }

    /// Lets running tasks finish, then releases the session.
    func retire() {
        control.async { [self] in
            inner.withLock { inner in
                defer { inner = nil }
                return inner
            }?.retire()
        }
    }
}
