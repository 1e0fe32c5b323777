internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Comes between URLSession and its loader, sends each HTTP request with our own session, and reports the exchange.
///
/// The class itself serves `URLSession.shared`; each metered configuration has a class of its own, made by
/// ``ConfigurationClasses``, because a protocol object does not know which session it works for.
package class MeteringURLProtocol: URLProtocol {
    private var load: Load?
    #if !canImport(ObjectiveC)
        private var loader: URLProtocol?
        private var watch: InPlaceWatch?
    #endif

    private class var metered: MeteredConfiguration? { ConfigurationClasses.metered(of: self) }

    package override class func canInit(with request: URLRequest) -> Bool {
        guard let metered, metered.observer.isRunning, request.isHTTP, !RequestTag.isOurs(request) else { return false }
        return !metered.leaves(request)
    }

    #if canImport(ObjectiveC)
        package override class func canInit(with task: URLSessionTask) -> Bool {
            guard let metered else { return false }
            // Before its request: AVFoundation's downloads raise an exception when that is read.
            guard task.isOrdinary else {
                metered.observer.refuse(.unknownTask)
                return false
            }
            guard let request = task.currentRequest, canInit(with: request) else { return false }
            guard !(task is URLSessionWebSocketTask) else {
                metered.observer.refuse(.unknownTask)
                return false
            }
            guard !metered.observer.isOutranked(for: task) || metered.observer.addsHeaders else { return false }
            // Through the client of a protocol object, a body cannot be requested again, and no wait be reported. So what
            // may need that stays with the system's loader.
            let body = SentBody(of: request, original: task.originalRequest, isUpload: task is URLSessionUploadTask)
            guard body != .stream else {
                metered.observer.refuse(.upload)
                return false
            }
            guard !metered.waits else {
                metered.observer.refuse(.waiting)
                return false
            }
            return true
        }
    #endif

    package override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    // Overridden, because the base class of Foundation for Linux traps here.
    package override class func requestIsCacheEquivalent(_ first: URLRequest, to second: URLRequest) -> Bool {
        first == second
    }

    package override func startLoading() {
        if let load { return load.resume() }
        guard let metered = type(of: self).metered else {
            client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            return
        }
        #if canImport(ObjectiveC)
            let load = Load(
                owner: self, metered: metered,
                reporter: metered.observer.reporter(of: request, for: metered, task: task))
            self.load = load
            load.start(RequestTag.tagging(metered.observer.addingHeaders(to: wholeRequest)))
        #else
            if let loader { return loader.startLoading() }
            guard let task else { return }
            let observer = metered.observer
            let isPlain = type(of: task) == URLSessionDataTask.self
            if isPlain, task.delegate == nil, !observer.isOutranked(for: task) || observer.addsHeaders {
                let load = Load(
                    owner: self, metered: metered, reporter: observer.reporter(of: request, for: metered, task: task))
                self.load = load
                return load.start(observer.addingHeaders(to: task.originalRequest ?? request))
            }
            startInPlace(task, metered, isPlain: isPlain)
        #endif
    }

    package override func stopLoading() {
        #if canImport(ObjectiveC)
            load?.stop()
        #else
            switch task?.state {
            case .suspended:
                load?.suspend()
                loader?.stopLoading()
                watch?.suspend()
            case .running: break
            default:
                load?.stop()
                loader?.stopLoading()
                watch?.stop()
            }
        #endif
    }

    #if canImport(ObjectiveC)
        /// The request with its content as data, if the task has it as data.
        private var wholeRequest: URLRequest {
            guard case .data(let data) = SentBody(of: request, original: task?.originalRequest, isUpload: false) else {
                return request
            }
            var whole = request
            whole.httpBody = data
            return whole
        }
    #endif

    #if !canImport(ObjectiveC)
        /// Loads with the system's own loader, because a task that we cannot send ourselves must not notice us.
        private func startInPlace(_ task: URLSessionTask, _ metered: MeteredConfiguration, isPlain: Bool) {
            let observer = metered.observer
            guard let client, let loaderClass = metered.loader(for: request) else {
                self.client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
                return
            }
            if isPlain {
                if observer.addsHeaders { observer.refuse(.headersForDelegate) }
                let reporter = observer.reporter(of: request, for: metered, task: task)
                let watch = InPlaceWatch(client: client, reporter: reporter) { observer.isRunning }
                self.watch = watch
                loader = loaderClass.init(task: task, cachedResponse: cachedResponse, client: watch)
                reporter.begin(task.originalRequest ?? request)
            } else {
                observer.refuse(
                    task is URLSessionDownloadTask ? .download : task is URLSessionUploadTask ? .upload : .unknownTask)
                loader = loaderClass.init(task: task, cachedResponse: cachedResponse, client: client)
            }
            loader?.startLoading()
        }
    #endif
}

/// The class of one metered configuration.
final class ConfigurationURLProtocol<Number>: MeteringURLProtocol {}
