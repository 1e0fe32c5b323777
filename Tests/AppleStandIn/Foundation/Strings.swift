// Foundation's extensions of String and of collections, as far as the sources use them; declarations only. From
// swift-corelibs-foundation (Sources/Foundation/NSStringAPI.swift) and swift-foundation
// (Sources/FoundationEssentials/String).
// swift-format-ignore-file
import ObjectiveC

public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }

extension String {
    public struct Encoding: Hashable, Sendable {
        public static var utf8: Encoding { fatalError() }
        public static var ascii: Encoding { fatalError() }
        public static var isoLatin1: Encoding { fatalError() }
    }
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
    public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { fatalError() }
    public init?(data: Data, encoding: Encoding) { fatalError() }
    public init(contentsOfFile path: String, encoding: Encoding) throws { fatalError() }
    public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
}

extension StringProtocol {
    public var capitalized: String { fatalError() }
    public var localizedCapitalized: String { fatalError() }
    public var localizedLowercase: String { fatalError() }
    public var localizedUppercase: String { fatalError() }
    public var removingPercentEncoding: String? { fatalError() }
    public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? { fatalError() }
    public func caseInsensitiveCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { fatalError() }
    public func localizedCaseInsensitiveCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { fatalError() }
    public func localizedCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { fatalError() }
    public func localizedStandardCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { fatalError() }
    public func components(separatedBy separators: CharacterSet) -> [String] { fatalError() }
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { fatalError() }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    public func replacingOccurrences<T: StringProtocol, U: StringProtocol>(of text: T, with other: U) -> String {
        fatalError()
    }
    public func range<T: StringProtocol>(
        of text: T, options: NSString.CompareOptions = [], range: Range<Index>? = nil
    ) -> Range<Index>? { fatalError() }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { fatalError() }
    public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws { fatalError() }
    public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws { fatalError() }
}

public class NSRegularExpression: NSObject, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var caseInsensitive: Options { fatalError() }
    }
    public init(pattern: String, options: Options = []) throws { fatalError() }
}
