// URLSession and its like, as far as the sources and the tests use them; declarations only. From swift-corelibs-foundation
// (Sources/FoundationNetworking, each in the file of its type: URLRequest.swift, NSURLRequest.swift, URLResponse.swift,
// URLCache.swift, HTTPCookie.swift, HTTPCookieStorage.swift, URLCredential.swift, URLProtectionSpace.swift,
// URLAuthenticationChallenge.swift, URLProtocol.swift, URLSession/*.swift; streams: Sources/Foundation/Stream.swift). Where Apple's differ, they are from Apple's
// documentation of the type: optional methods of @objc protocols, canInit(with: URLSessionTask), waitsForConnectivity, delegates
// of tasks, didCreateTask, domainResolutionProtocol, counts and networks of transactions.
// swift-format-ignore-file
import ObjectiveC

// MARK: messages

public class NSURLRequest: NSObject {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0, reloadIgnoringLocalCacheData = 1, returnCacheDataElseLoad = 2
        case returnCacheDataDontLoad = 3, reloadIgnoringLocalAndRemoteCacheData = 4, reloadRevalidatingCacheData = 5
    }
}
public class NSMutableURLRequest: NSURLRequest {}

open class Stream: NSObject {
    public enum Status: UInt, Sendable { case notOpen, opening, open, reading, writing, atEnd, closed, error }
    open func open() { fatalError() }
    open func close() { fatalError() }
    open var streamStatus: Status { fatalError() }
    open var streamError: (any Error)? { fatalError() }
}

open class InputStream: Stream {
    public init(data: Data) { fatalError() }
    public init?(url: URL) { fatalError() }
    public init?(fileAtPath path: String) { fatalError() }
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength size: Int) -> Int { fatalError() }
    open func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { fatalError() }
    open var hasBytesAvailable: Bool { fatalError() }
}

public struct URLRequest: Hashable, Sendable, StandInBridge {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) { fatalError() }
    public var timeoutInterval: TimeInterval
    public var cachePolicy: CachePolicy
    public var allowsCellularAccess: Bool
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { fatalError() }
    public init(url: URL) { fatalError() }
    public var url: URL?
    public var httpMethod: String?
    public var httpBody: Data?
    public var allHTTPHeaderFields: [String: String]?
    public var httpShouldHandleCookies = true
    public var httpBodyStream: InputStream? {
        get { fatalError() }
        set { fatalError() }
    }
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
    public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
}

public class URLResponse: NSObject, @unchecked Sendable {
    public var url: URL? { fatalError() }
}

public class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) { fatalError() }
    public var statusCode: Int { fatalError() }
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
    public var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

public class CachedURLResponse: NSObject, @unchecked Sendable {}

public class URLCache: NSObject, @unchecked Sendable {
    @objc public enum StoragePolicy: UInt, Sendable {
        case allowed, allowedInMemoryOnly, notAllowed
    }
}

public struct HTTPCookiePropertyKey: Hashable, Sendable {
    public static var name: HTTPCookiePropertyKey { fatalError() }
    public static var value: HTTPCookiePropertyKey { fatalError() }
    public static var domain: HTTPCookiePropertyKey { fatalError() }
    public static var path: HTTPCookiePropertyKey { fatalError() }
}

public class HTTPCookie: NSObject, @unchecked Sendable {
    public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
    public init?(properties: [HTTPCookiePropertyKey: Any]) { fatalError() }
    public var name: String { fatalError() }
    public var value: String { fatalError() }
    public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] { fatalError() }
}

public class HTTPCookieStorage: NSObject, @unchecked Sendable {
    public func cookies(for url: URL) -> [HTTPCookie]? { fatalError() }
    public func setCookie(_ cookie: HTTPCookie) { fatalError() }
    public class var shared: HTTPCookieStorage { fatalError() }
}

// MARK: challenges

public class URLCredential: NSObject, @unchecked Sendable {
    public enum Persistence: UInt, Sendable { case none = 0, forSession, permanent, synchronizable }
    public init(user: String, password: String, persistence: Persistence) { fatalError() }
}

@objc public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    func cancel(_ challenge: URLAuthenticationChallenge)
    @objc optional func performDefaultHandling(for challenge: URLAuthenticationChallenge)
    @objc optional func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

public class URLProtectionSpace: NSObject, @unchecked Sendable {
    public var authenticationMethod: String { fatalError() }
}

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

public class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public init(
        authenticationChallenge challenge: URLAuthenticationChallenge, sender: any URLAuthenticationChallengeSender
    ) { fatalError() }
    public var protectionSpace: URLProtectionSpace { fatalError() }
    public var previousFailureCount: Int { fatalError() }
}

// MARK: protocols

@objc public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

open class URLProtocol: NSObject {
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        fatalError()
    }
    open var client: (any URLProtocolClient)? { fatalError() }
    open var request: URLRequest { fatalError() }
    open var cachedResponse: CachedURLResponse? { fatalError() }
    open var task: URLSessionTask? { fatalError() }
    open class func canInit(with request: URLRequest) -> Bool { fatalError() }
    open class func canInit(with task: URLSessionTask) -> Bool { fatalError() }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { fatalError() }
    open class func requestIsCacheEquivalent(_ first: URLRequest, to second: URLRequest) -> Bool { fatalError() }
    open func startLoading() { fatalError() }
    open func stopLoading() { fatalError() }
    open class func property(forKey key: String, in request: URLRequest) -> Any? { fatalError() }
    open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) { fatalError() }
    open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) { fatalError() }
    open class func registerClass(_ type: AnyClass) -> Bool { fatalError() }
    open class func unregisterClass(_ type: AnyClass) { fatalError() }
}

@available(*, unavailable)
extension URLProtocol: @unchecked Sendable {}

// MARK: sessions

public class URLSessionConfiguration: NSObject, @unchecked Sendable {
    override init() { fatalError() }
    public class var `default`: URLSessionConfiguration { fatalError() }
    public class var ephemeral: URLSessionConfiguration { fatalError() }
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError() }
    public var timeoutIntervalForRequest: TimeInterval
    public var timeoutIntervalForResource: TimeInterval
    public var connectionProxyDictionary: [AnyHashable: Any]?
    public var urlCache: URLCache?
    public var requestCachePolicy: URLRequest.CachePolicy
    public var httpMaximumConnectionsPerHost: Int
    public var waitsForConnectivity: Bool
    public var identifier: String? { fatalError() }
    public var protocolClasses: [AnyClass]?
    public var httpAdditionalHeaders: [AnyHashable: Any]?
    public var httpCookieStorage: HTTPCookieStorage?
    public var httpShouldSetCookies = true
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy
}

public class URLSession: NSObject, @unchecked Sendable {
    @objc public enum ResponseDisposition: Int, Sendable {
        case cancel, allow, becomeDownload, becomeStream
    }
    @objc public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    public class var shared: URLSession { fatalError() }
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) { fatalError() }
    public var delegate: (any URLSessionDelegate)? { fatalError() }
    public func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError() }
    public func uploadTask(with request: URLRequest, from data: Data) -> URLSessionUploadTask { fatalError() }
    public init(configuration: URLSessionConfiguration) { fatalError() }
    public var configuration: URLSessionConfiguration { fatalError() }
    public func dataTask(with url: URL) -> URLSessionDataTask { fatalError() }
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask { fatalError() }
    public func uploadTask(with request: URLRequest, fromFile url: URL) -> URLSessionUploadTask { fatalError() }
    public func uploadTask(
        with request: URLRequest, from data: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { fatalError() }
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { fatalError() }
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func data(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func upload(
        for request: URLRequest, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func upload(
        for request: URLRequest, fromFile url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func download(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) { fatalError() }
    public func download(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) { fatalError() }
    public func invalidateAndCancel() { fatalError() }
    public func finishTasksAndInvalidate() { fatalError() }
}

public class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable {
        case running, suspended, canceling, completed
    }
    public var taskIdentifier: Int { fatalError() }
    public var originalRequest: URLRequest? { fatalError() }
    public var currentRequest: URLRequest? { fatalError() }
    public var response: URLResponse? { fatalError() }
    public var error: (any Error)? { fatalError() }
    public var countOfBytesSent: Int64 { fatalError() }
    public var countOfBytesReceived: Int64 { fatalError() }
    public var state: State { fatalError() }
    public var delegate: (any URLSessionTaskDelegate)?
    public func resume() { fatalError() }
    public func suspend() { fatalError() }
    public func cancel() { fatalError() }
}

public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
public class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
public class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
public class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    @objc optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
    @objc optional func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    @objc optional func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// MARK: metrics

// Of Security, SecProtocolTypes.h: both are enumerations of uint16_t, which Foundation for Linux declares, too.
public enum tls_protocol_version_t: UInt16, @unchecked Sendable {
    case TLSv10 = 0x0301, TLSv11 = 0x0302, TLSv12 = 0x0303, TLSv13 = 0x0304, DTLSv10 = 0xfeff, DTLSv12 = 0xfefd
}
public enum tls_ciphersuite_t: UInt16, @unchecked Sendable {
    case AES_128_GCM_SHA256 = 0x1301, AES_256_GCM_SHA384 = 0x1302, CHACHA20_POLY1305_SHA256 = 0x1303
}

public class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public enum ResourceFetchType: Int, Sendable {
        case unknown, networkLoad, serverPush, localCache
    }
    public enum DomainResolutionProtocol: Int, Sendable {
        case unknown, udp, tcp, tls, https
    }
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] { fatalError() }
}

public class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public var request: URLRequest { fatalError() }
    public var response: URLResponse? { fatalError() }
    public var fetchStartDate: Date? { fatalError() }
    public var domainLookupStartDate: Date? { fatalError() }
    public var domainLookupEndDate: Date? { fatalError() }
    public var connectStartDate: Date? { fatalError() }
    public var secureConnectionStartDate: Date? { fatalError() }
    public var secureConnectionEndDate: Date? { fatalError() }
    public var connectEndDate: Date? { fatalError() }
    public var requestStartDate: Date? { fatalError() }
    public var requestEndDate: Date? { fatalError() }
    public var responseStartDate: Date? { fatalError() }
    public var responseEndDate: Date? { fatalError() }
    public var countOfRequestHeaderBytesSent: Int64 { fatalError() }
    public var countOfRequestBodyBytesBeforeEncoding: Int64 { fatalError() }
    public var countOfRequestBodyBytesSent: Int64 { fatalError() }
    public var countOfResponseHeaderBytesReceived: Int64 { fatalError() }
    public var countOfResponseBodyBytesReceived: Int64 { fatalError() }
    public var countOfResponseBodyBytesAfterDecoding: Int64 { fatalError() }
    public var networkProtocolName: String? { fatalError() }
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t? { fatalError() }
    public var negotiatedTLSCipherSuite: tls_ciphersuite_t? { fatalError() }
    public var isReusedConnection: Bool { fatalError() }
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { fatalError() }
    public var localAddress: String? { fatalError() }
    public var localPort: Int? { fatalError() }
    public var remoteAddress: String? { fatalError() }
    public var remotePort: Int? { fatalError() }
    public var isCellular: Bool { fatalError() }
    public var isExpensive: Bool { fatalError() }
    public var isConstrained: Bool { fatalError() }
    public var isMultipath: Bool { fatalError() }
    public var isProxyConnection: Bool { fatalError() }
    public var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol { fatalError() }
}
