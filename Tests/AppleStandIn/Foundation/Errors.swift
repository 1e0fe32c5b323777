// Foundation's errors, as far as the sources use them; declarations only. From swift-corelibs-foundation
// (Sources/Foundation/NSError.swift, FoundationErrors.swift) and Apple's NSURLError.h as its documentation lists it.
// swift-format-ignore-file
import ObjectiveC

open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) { fatalError() }
    public var userInfo: [String: Any] { fatalError() }
    public var localizedFailureReason: String? { fatalError() }
    public var domain: String { fatalError() }
    public var code: Int { fatalError() }
    public var localizedDescription: String { fatalError() }
}

extension Error {
    public var localizedDescription: String { fatalError() }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

public struct POSIXError: Error, Sendable {
    public enum Code: Int32, Sendable {
        case EPERM = 1, ENOENT = 2, EINTR = 4, EIO = 5, EBADF = 9, EACCES = 13, EEXIST = 17, EPIPE = 32, ENOTCONN = 57
        case ETIMEDOUT = 60, ECONNREFUSED = 61, ECONNRESET = 54, EAGAIN = 35, EADDRINUSE = 48
    }
    public init(_ code: Code) { fatalError() }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
    public var code: Code { fatalError() }
}
public typealias POSIXErrorCode = POSIXError.Code

public struct URLError: Error, Sendable {
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
    public var code: Code { fatalError() }
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: Int
        public init(rawValue: Int) { fatalError() }
        public static var timedOut: Code { fatalError() }
        public static var networkConnectionLost: Code { fatalError() }
        public static var badURL: Code { fatalError() }
        public static var cannotConnectToHost: Code { fatalError() }
        public static var requestBodyStreamExhausted: Code { fatalError() }
        public static var unknown: Code { fatalError() }
        public static var cancelled: Code { fatalError() }
        public static var badServerResponse: Code { fatalError() }
        public static var unsupportedURL: Code { fatalError() }
    }
    public static var unsupportedURL: Code { fatalError() }
    public init(_ code: Code) { fatalError() }
}

public struct CocoaError: Error, Sendable {
    public var code: Code { fatalError() }
    public struct Code: Hashable, Sendable {
        public static var fileNoSuchFile: Code { fatalError() }
        public static var fileReadNoSuchFile: Code { fatalError() }
        public static var fileWriteNoPermission: Code { fatalError() }
        public var rawValue: Int { fatalError() }
        public static var userCancelled: Code { fatalError() }
        public static var fileWriteUnknown: Code { fatalError() }
        public static var fileReadUnknown: Code { fatalError() }
    }
    public init(_ code: Code) { fatalError() }
}

public var NSUnderlyingErrorKey: String { fatalError() }
public var NSLocalizedDescriptionKey: String { fatalError() }
public var NSPOSIXErrorDomain: String { fatalError() }
public var NSURLErrorDomain: String { fatalError() }
public var NSCocoaErrorDomain: String { fatalError() }
public var NSURLErrorUnknown: Int { -1 }
public var NSURLErrorCancelled: Int { -999 }
public var NSURLErrorTimedOut: Int { -1_001 }
public var NSURLErrorNetworkConnectionLost: Int { -1_005 }
public var NSURLErrorBadURL: Int { -1_000 }
public var NSURLErrorUnsupportedURL: Int { -1_002 }
public var NSURLErrorCannotFindHost: Int { -1_003 }
public var NSURLErrorCannotConnectToHost: Int { -1_004 }
public var NSURLErrorDNSLookupFailed: Int { -1_006 }
public var NSURLErrorNotConnectedToInternet: Int { -1_009 }
public var NSURLErrorSecureConnectionFailed: Int { -1_200 }
public var NSURLErrorServerCertificateHasBadDate: Int { -1_201 }
public var NSURLErrorServerCertificateUntrusted: Int { -1_202 }
public var NSURLErrorServerCertificateHasUnknownRoot: Int { -1_203 }
public var NSURLErrorServerCertificateNotYetValid: Int { -1_204 }
