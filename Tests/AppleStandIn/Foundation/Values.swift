// Foundation's value types, as far as the sources use them; declarations only. From swift-foundation
// (Sources/FoundationEssentials) and swift-corelibs-foundation (Sources/Foundation), which have the same interface.
// swift-format-ignore-file
@_exported import CoreGraphics
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

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

public protocol ReferenceConvertible: _ObjectiveCBridgeable, CustomStringConvertible, CustomDebugStringConvertible, Hashable {
    associatedtype ReferenceType: NSObject & NSCopying
}

extension ReferenceConvertible {
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
}

public struct Data: Sendable, Codable, StandInBridge, ReferenceConvertible, RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection
{
    public typealias ReferenceType = NSData
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var mappedIfSafe: ReadingOptions { fatalError() }
        public static var alwaysMapped: ReadingOptions { fatalError() }
        public static var uncached: ReadingOptions { fatalError() }
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var atomic: WritingOptions { fatalError() }
        public static var withoutOverwriting: WritingOptions { fatalError() }
    }
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
    }
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var ignoreUnknownCharacters: Base64DecodingOptions { fatalError() }
    }
    public enum Deallocator { case none, free, custom((UnsafeMutableRawPointer, Int) -> Void) }
    public init() { fatalError() }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
    public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
    public init(bytesNoCopy: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) { fatalError() }
    public init(repeating value: UInt8, count: Int) { fatalError() }
    public init(count: Int) { fatalError() }
    public init(capacity: Int) { fatalError() }
    public init(contentsOf url: URL, options: ReadingOptions = []) throws { fatalError() }
    public init?(base64Encoded text: String, options: Base64DecodingOptions = []) { fatalError() }
    public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
    public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
    public mutating func append(_ other: Data) { fatalError() }
    public mutating func append(_ byte: UInt8) { fatalError() }
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) { fatalError() }
    public mutating func append(contentsOf bytes: [UInt8]) { fatalError() }
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with bytes: C) where C.Element == UInt8 {
        fatalError()
    }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public var count: Int { fatalError() }
    public subscript(index: Int) -> UInt8 {
        get { fatalError() }
        set { fatalError() }
    }
    public func range(of data: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>? { fatalError() }
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
    }
    public subscript(range: Range<Int>) -> Data {
        get { fatalError() }
        set { fatalError() }
    }
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
}

public struct URL: Sendable, Codable, StandInBridge, ReferenceConvertible {
    public typealias ReferenceType = NSURL
    public init?(string: String) { fatalError() }
    public init?(string: String, relativeTo base: URL?) { fatalError() }
    public init(fileURLWithPath path: String) { fatalError() }
    public init(filePath path: String) { fatalError() }
    public func appending(path: String) -> URL { fatalError() }
    public init(fileURLWithPath path: String, isDirectory: Bool) { fatalError() }
    public var absoluteString: String { fatalError() }
    public var absoluteURL: URL { fatalError() }
    public var scheme: String? { fatalError() }
    public var host: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var path: String { fatalError() }
    public var query: String? { fatalError() }
    public var fragment: String? { fatalError() }
    public var user: String? { fatalError() }
    public var isFileURL: Bool { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var pathExtension: String { fatalError() }
    public var pathComponents: [String] { fatalError() }
    public var standardizedFileURL: URL { fatalError() }
    public func appendingPathComponent(_ component: String) -> URL { fatalError() }
    public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { fatalError() }
    public func appendingPathExtension(_ pathExtension: String) -> URL { fatalError() }
    public func deletingLastPathComponent() -> URL { fatalError() }
    public mutating func deleteLastPathComponent() { fatalError() }
    public func deletingPathExtension() -> URL { fatalError() }
    public func resolvingSymlinksInPath() -> URL { fatalError() }
    public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
}

public struct URLComponents: Hashable, Sendable {
    public init?(string: String) { fatalError() }
    public var scheme: String?
    public var host: String?
    public var port: Int?
    public var path: String
    public var percentEncodedPath: String
    public var percentEncodedQuery: String?
    public var fragment: String?
    public var queryItems: [URLQueryItem]?
    public var url: URL? { fatalError() }
}

public struct URLQueryItem: Hashable, Sendable {
    public var name: String
    public var value: String?
}

public struct URLResourceKey: Hashable, Sendable {
    public static var fileSizeKey: URLResourceKey { fatalError() }
    public static var isExcludedFromBackupKey: URLResourceKey { fatalError() }
}

public struct URLResourceValues {
    public init() { fatalError() }
    public var isExcludedFromBackup: Bool?
    public var fileSize: Int? { fatalError() }
}

public struct UUID: Sendable, Codable, StandInBridge, ReferenceConvertible {
    public typealias ReferenceType = NSUUID
    public init() { fatalError() }
    public init?(uuidString: String) { fatalError() }
    public init(uuid: uuid_t) { fatalError() }
    public var uuid: uuid_t { fatalError() }
    public var uuidString: String { fatalError() }
    public static func == (left: UUID, right: UUID) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public func _bridgeToObjectiveC() -> NSUUID { fatalError() }
}
public typealias uuid_t = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)

public typealias TimeInterval = Double

public struct Date: Comparable, Sendable, Codable, StandInBridge, ReferenceConvertible {
    public typealias ReferenceType = NSDate
    public init() { fatalError() }
    public init(timeIntervalSince1970: TimeInterval) { fatalError() }
    public init(timeIntervalSinceReferenceDate: TimeInterval) { fatalError() }
    public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
    public static func + (date: Date, span: TimeInterval) -> Date { fatalError() }
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
    public var timeIntervalSinceNow: TimeInterval { fatalError() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
    public static var distantFuture: Date { fatalError() }
    public static var distantPast: Date { fatalError() }
    public static func < (left: Date, right: Date) -> Bool { fatalError() }
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
}

public struct Locale: Hashable, Sendable {
    public init(identifier: String) { fatalError() }
    public static var preferredLanguages: [String] { fatalError() }
    public static var current: Locale { fatalError() }
}

public struct TimeZone: Hashable, Sendable {
    public init?(secondsFromGMT: Int) { fatalError() }
    public init?(identifier: String) { fatalError() }
    public static var current: TimeZone { fatalError() }
    public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}

public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public init(identifier: Identifier) { fatalError() }
    public var locale: Locale?
    public var timeZone: TimeZone
    public func date(from components: DateComponents) -> Date? { fatalError() }
}

public struct DateComponents: Hashable, Sendable {
    public init() { fatalError() }
    public var year: Int?
    public var month: Int?
    public var day: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?
    public var nanosecond: Int?
    public var timeZone: TimeZone?
}

public class DateFormatter: NSObject, @unchecked Sendable {
    public override init() { fatalError() }
    public var dateFormat: String!
    public var locale: Locale!
    public var timeZone: TimeZone!
    public func string(from date: Date) -> String { fatalError() }
    public func date(from text: String) -> Date? { fatalError() }
}

public struct Decimal: Hashable, Sendable {
    public init(string: String, locale: Locale?) { fatalError() }
    public init(_ value: Double) { fatalError() }
    public init(_ value: Int64) { fatalError() }
}

public class ISO8601DateFormatter: NSObject, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var withInternetDateTime: Options { fatalError() }
    }
    public override init() { fatalError() }
    public var formatOptions: Options
    public func string(from date: Date) -> String { fatalError() }
    public func date(from text: String) -> Date? { fatalError() }
}

public struct CharacterSet: Hashable, Sendable {
    public init() { fatalError() }
    public init(charactersIn text: String) { fatalError() }
    public static var alphanumerics: CharacterSet { fatalError() }
    public static var decimalDigits: CharacterSet { fatalError() }
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
    public static var newlines: CharacterSet { fatalError() }
    public static var urlQueryAllowed: CharacterSet { fatalError() }
    public static var urlPathAllowed: CharacterSet { fatalError() }
    public static var urlHostAllowed: CharacterSet { fatalError() }
    public func contains(_ scalar: Unicode.Scalar) -> Bool { fatalError() }
    public func union(_ other: CharacterSet) -> CharacterSet { fatalError() }
    public mutating func insert(charactersIn text: String) { fatalError() }
    public mutating func remove(charactersIn text: String) { fatalError() }
    public var inverted: CharacterSet { fatalError() }
}

public struct IndexSet: Hashable, Sendable {
    public init() { fatalError() }
}

public struct Notification {
    public struct Name: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(_ rawValue: String) { fatalError() }
        public init(rawValue: String) { fatalError() }
    }
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
}

public func NSSelectorFromString(_ name: String) -> Selector { fatalError() }
public func NSStringFromClass(_ type: AnyClass) -> String { fatalError() }
public func NSClassFromString(_ name: String) -> AnyClass? { fatalError() }
