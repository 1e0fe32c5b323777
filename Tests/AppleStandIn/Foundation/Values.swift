// Foundation's value types, as far as URLSessionObserver uses them; declarations only.
// swift-format-ignore-file
@_exported import ObjectiveC

public class NSString: NSObject, @unchecked Sendable {}
public class NSData: NSObject, @unchecked Sendable {}
public class NSURL: NSObject, @unchecked Sendable {}
public class NSDate: NSObject, @unchecked Sendable {}

/// What the bridged types have in common.
public protocol StandInBridge: _ObjectiveCBridgeable {}

extension StandInBridge {
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

extension String: StandInBridge {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public func lowercased(with locale: Locale?) -> String { fatalError() }
}

extension Array: StandInBridge {
    public func _bridgeToObjectiveC() -> NSArray { fatalError() }
}

public struct Data: Hashable, Sendable, StandInBridge, RandomAccessCollection {
    public init() { fatalError() }
    public mutating func append(_ other: Data) { fatalError() }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> UInt8 { fatalError() }
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
}

public struct URL: Hashable, Sendable, StandInBridge {
    public init?(string: String) { fatalError() }
    public var absoluteString: String { fatalError() }
    public var scheme: String? { fatalError() }
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
}

public typealias TimeInterval = Double

public struct Date: Hashable, Sendable, StandInBridge {
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
}

public struct Locale: Sendable {
    public static var preferredLanguages: [String] { fatalError() }
}

public class NSNumber: NSObject, @unchecked Sendable {
    public init(value: Int64) { fatalError() }
    public init(value: Int) { fatalError() }
    public init(value: Bool) { fatalError() }
    public var int64Value: Int64 { fatalError() }
    public var intValue: Int { fatalError() }
}

public class NSArray: NSObject {}

public func NSSelectorFromString(_ name: String) -> Selector { fatalError() }
public func NSStringFromClass(_ type: AnyClass) -> String { fatalError() }

// MARK: errors

public class NSError: NSObject, Error, @unchecked Sendable {
    public var domain: String { fatalError() }
    public var code: Int { fatalError() }
    public var localizedDescription: String { fatalError() }
}

extension Error {
    public var localizedDescription: String { fatalError() }
}

public struct URLError: Error, Sendable {
    public struct Code: Sendable {
        public static var unknown: Code { fatalError() }
        public static var cancelled: Code { fatalError() }
        public static var badServerResponse: Code { fatalError() }
        public static var unsupportedURL: Code { fatalError() }
    }
    public init(_ code: Code) { fatalError() }
}

public struct CocoaError: Error, Sendable {
    public struct Code: Sendable {
        public var rawValue: Int { fatalError() }
        public static var userCancelled: Code { fatalError() }
    }
    public init(_ code: Code) { fatalError() }
}

public var NSURLErrorDomain: String { fatalError() }
public var NSCocoaErrorDomain: String { fatalError() }
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

// MARK: the process

public class ProcessInfo: NSObject, @unchecked Sendable {
    public static var processInfo: ProcessInfo { fatalError() }
    public var processName: String { fatalError() }
}

public class Bundle: NSObject, @unchecked Sendable {
    public static var main: Bundle { fatalError() }
    public init?(identifier: String) { fatalError() }
    public var infoDictionary: [String: Any]? { fatalError() }
}

public class OperationQueue: NSObject, @unchecked Sendable {
    public override init() { fatalError() }
    public var maxConcurrentOperationCount: Int {
        get { fatalError() }
        set { fatalError() }
    }
    public var name: String? {
        get { fatalError() }
        set { fatalError() }
    }
}

// A thread and a run loop are not Sendable in the SDK.
public class Thread: NSObject {
    public class var current: Thread { fatalError() }
}

public class CFRunLoop {}
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) { fatalError() }

public class RunLoop: NSObject {
    public struct Mode: Hashable, Sendable {
        public static var `default`: Mode { fatalError() }
    }
    public class var current: RunLoop { fatalError() }
    public var currentMode: Mode? { fatalError() }
    public func getCFRunLoop() -> CFRunLoop { fatalError() }
    public func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) { fatalError() }
}

// Key-value coding (https://developer.apple.com/documentation/objectivec/nsobject/1415969-setvalue).
extension NSObject {
    public func setValue(_ value: Any?, forKey key: String) { fatalError() }
}
