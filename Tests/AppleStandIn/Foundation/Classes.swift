// Foundation's classes, as far as the sources use them; declarations only. From swift-corelibs-foundation
// (Sources/Foundation/NSString.swift, NSNumber.swift, NSArray.swift, NSCache.swift, NotificationQueue.swift, JSON*.swift)
// and, for what is the Objective-C side's, from Apple's documentation of the class.
// swift-format-ignore-file
import ObjectiveC

@objc public protocol NSCopying {}

open class NSString: NSObject, NSCopying, ExpressibleByStringLiteral, @unchecked Sendable {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var caseInsensitive: CompareOptions { fatalError() }
        public static var backwards: CompareOptions { fatalError() }
        public static var anchored: CompareOptions { fatalError() }
        public static var numeric: CompareOptions { fatalError() }
        public static var regularExpression: CompareOptions { fatalError() }
    }
    public required init(stringLiteral value: StaticString) { fatalError() }
    public var pathExtension: String { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var deletingLastPathComponent: String { fatalError() }
    public var standardizingPath: String { fatalError() }
    public var expandingTildeInPath: String { fatalError() }
    public func appendingPathComponent(_ component: String) -> String { fatalError() }
}

public class NSData: NSObject, NSCopying, @unchecked Sendable {
}
public class NSURL: NSObject, NSCopying, @unchecked Sendable {
    public var absoluteString: String? { fatalError() }
}
public class NSDate: NSObject, NSCopying, @unchecked Sendable {
}
public class NSUUID: NSObject, NSCopying, @unchecked Sendable {
    public convenience init(uuidBytes: UnsafePointer<UInt8>) { fatalError() }
    public convenience init?(uuidString: String) { fatalError() }
    public func getBytes(_ bytes: UnsafeMutablePointer<UInt8>) { fatalError() }
}
public class NSNull: NSObject, NSCopying, @unchecked Sendable {
    public override init() { fatalError() }
}
// As every NSObject.
extension NSNull: Hashable {
    public static func == (left: NSNull, right: NSNull) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
}
public class NSArray: NSObject, NSCopying {
}
public class NSDictionary: NSObject {}

open class NSNumber: NSObject, NSCopying, @unchecked Sendable {
    public init(value: Int64) { fatalError() }
    public init(value: Int) { fatalError() }
    public init(value: Bool) { fatalError() }
    public init(value: Double) { fatalError() }
    public var int64Value: Int64 { fatalError() }
    public var uint64Value: UInt64 { fatalError() }
    public var intValue: Int { fatalError() }
    public var doubleValue: Double { fatalError() }
    public var boolValue: Bool { fatalError() }
    public var objCType: UnsafePointer<CChar> { fatalError() }
}

open class NSDecimalNumberHandler: NSObject, @unchecked Sendable {
    public enum RoundingMode: UInt, Sendable { case plain, down, up, bankers }
    public init(
        roundingMode: RoundingMode, scale: Int16, raiseOnExactness: Bool, raiseOnOverflow: Bool,
        raiseOnUnderflow: Bool, raiseOnDivideByZero: Bool
    ) { fatalError() }
}
open class NSDecimalNumber: NSNumber, @unchecked Sendable {
    public init(decimal: Decimal) { fatalError() }
}

public class NSCache<Key: AnyObject, Object: AnyObject>: NSObject, @unchecked Sendable {
    public override init() { fatalError() }
    public func object(forKey key: Key) -> Object? { fatalError() }
    public func setObject(_ object: Object, forKey key: Key) { fatalError() }
}

public class NSNotification: NSObject {}

public class NotificationCenter: NSObject, @unchecked Sendable {
    public class var `default`: NotificationCenter { fatalError() }
    public func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { fatalError() }
    public func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) { fatalError() }
    public func post(name: Notification.Name, object: Any?) { fatalError() }
    public func removeObserver(_ observer: Any) { fatalError() }
}

// MARK: JSON

public struct CodingUserInfo {}

open class JSONEncoder: @unchecked Sendable {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var prettyPrinted: OutputFormatting { fatalError() }
        public static var sortedKeys: OutputFormatting { fatalError() }
        public static var withoutEscapingSlashes: OutputFormatting { fatalError() }
    }
    public enum DataEncodingStrategy: Sendable { case deferredToData, base64 }
    public enum DateEncodingStrategy: Sendable { case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601 }
    public enum NonConformingFloatEncodingStrategy: Sendable { case `throw` }
    public init() { fatalError() }
    open var outputFormatting: OutputFormatting
    open var dataEncodingStrategy: DataEncodingStrategy
    open var dateEncodingStrategy: DateEncodingStrategy
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy
    open var userInfo: [CodingUserInfoKey: Any]
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}

open class JSONDecoder: @unchecked Sendable {
    public enum DataDecodingStrategy: Sendable { case deferredToData, base64 }
    public enum DateDecodingStrategy: Sendable { case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601 }
    public enum NonConformingFloatDecodingStrategy: Sendable { case `throw` }
    public init() { fatalError() }
    open var dataDecodingStrategy: DataDecodingStrategy
    open var dateDecodingStrategy: DateDecodingStrategy
    open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy
    open var userInfo: [CodingUserInfoKey: Any]
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

public class JSONSerialization: NSObject {
    public class func jsonObject(with data: Data) throws -> Any { fatalError() }
}
