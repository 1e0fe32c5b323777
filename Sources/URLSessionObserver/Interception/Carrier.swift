internal import Dispatch
internal import Foundation
internal import HTTPWire
internal import Synchronization
internal import TrafficModel

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    internal import FoundationNetworking
#endif

/// Carries the requests of one configuration: the session that sends them on, and whom they are told to.
final class Carrier: Sendable {
    let observer: URLProtocolObserver
    /// The application's configuration without us.
    private let configuration: URLSessionConfiguration
    /// The application's own classes among ``classes``.
    private let ownClasses: [URLProtocol.Type]
    /// All that would be asked if we were not there, in order.
    private let classes: [URLProtocol.Type]
    private let inner = Mutex<InnerSession?>(nil)
    /// Starts, suspends, resumes and cancels inner tasks.
    ///
    /// In order, and not on the queue that the outer task waits on, for there Foundation for Linux deadlocks or traps.
    /// One queue for all: one for each load would use up the threads that the loads need to come to an end.
    let control = DispatchQueue(label: "URLSessionObserver.control")

    init(observer: URLProtocolObserver, configuration: URLSessionConfiguration) {
        self.observer = observer
        let copy = configuration.copy() as? URLSessionConfiguration ?? .default
        let others = (copy.protocolClasses ?? []).filter { !($0 is MeteringURLProtocol.Type) }
        copy.protocolClasses = others
        #if !(canImport(ObjectiveC) || APPLE_STAND_IN)
            // Foundation for Linux asks for credentials when a protocol class finishes with 401. Were they used here
            // already, it would try them once more.
            copy.urlCredentialStorage = nil
        #endif
        let system = URLSessionConfiguration.default.protocolClasses ?? []
        classes = others.compactMap { $0 as? URLProtocol.Type }
        ownClasses = classes.filter { own in
            !system.contains { ObjectIdentifier($0) == ObjectIdentifier(own) }
        }
        self.configuration = copy
    }

    /// Whether the application has a class of its own for that request; it must not notice us.
    func leaves(_ request: URLRequest) -> Bool { ownClasses.contains { $0.canInit(with: request) } }

    /// The class that loads such a request where we are not.
    func loader(for request: URLRequest) -> (URLProtocol.Type)? { classes.first { $0.canInit(with: request) } }

    var surroundings: ExchangeTeller.Surroundings {
        let additional = configuration.httpAdditionalHeaders ?? [:]
        #if canImport(ObjectiveC) || APPLE_STAND_IN
            let storage = configuration.httpCookieStorage
        #else
            // Foundation for Linux puts cookies into a request when its task is made, and a task shows it so.
            let storage: HTTPCookieStorage? = nil
        #endif
        return ExchangeTeller.Surroundings(
            additionalFields: additional.map { ShownField("\($0.key)", "\($0.value)") }, cookieStorage: storage,
            wantsCookies: configuration.httpShouldSetCookies)
    }

    /// The session's cookies in a request that goes on from another, as Foundation sets them for a task without a
    /// delegate.
    func settingCookies(on request: URLRequest) -> URLRequest {
        guard configuration.httpShouldSetCookies, let url = request.url,
            let cookies = configuration.httpCookieStorage?.cookies(for: url),
            let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !value.isEmpty
        else { return request }
        var request = request
        request.setValue(value, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Makes a task of the inner session; to be called on ``control``.
    func makeTask(_ request: URLRequest, for load: Load) -> URLSessionDataTask? {
        let session = inner.withLock { inner in
            if let inner { return inner }
            let made = InnerSession(configuration: configuration)
            inner = made
            return made
        }
        return session.makeTask(request, for: load)
    }

    /// Lets the tasks that run come to their end, then gives the session up.
    func retire() {
        control.async { [self] in
            inner.withLock { inner in
                defer { inner = nil }
                return inner
            }?.retire()
        }
    }
}
