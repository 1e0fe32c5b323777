// Dispatch's Swift interface, as far as the sources use it; declarations only.
// From swift-corelibs-libdispatch: src/swift/Queue.swift, Source.swift, Time.swift, Wrapper.swift, Block.swift.
// swift-format-ignore-file
@_exported import ObjectiveC

public class DispatchObject: NSObject, @unchecked Sendable {}

public struct DispatchQoS: Equatable, Sendable {
    public static var userInitiated: DispatchQoS { fatalError() }
    public static var utility: DispatchQoS { fatalError() }
    public static var `default`: DispatchQoS { fatalError() }
    public static var unspecified: DispatchQoS { fatalError() }
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var barrier: DispatchWorkItemFlags { fatalError() }
}

public class DispatchGroup: DispatchObject, @unchecked Sendable {}

public class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { fatalError() }
        public static var concurrent: Attributes { fatalError() }
    }
    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }
    public init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) { fatalError() }
    public class var main: DispatchQueue { fatalError() }
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
    @preconcurrency public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T { fatalError() }
    public func setSpecific<T: Sendable>(key: DispatchSpecificKey<T>, value: T?) { fatalError() }
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    public var label: String { fatalError() }
}

public final class DispatchSpecificKey<T>: @unchecked Sendable {
    public init() {}
}

public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { fatalError() }
    public static var distantFuture: DispatchTime { fatalError() }
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool { fatalError() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
    public var uptimeNanoseconds: UInt64 { fatalError() }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) { fatalError() }
    @discardableResult public func signal() -> Int { fatalError() }
    public func wait() { fatalError() }
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

public protocol DispatchSourceProtocol: AnyObject {
    typealias DispatchSourceHandler = @convention(block) () -> Void
    func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
    func setRegistrationHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
    func resume()
    func activate()
    func cancel()
}

extension DispatchSourceProtocol {
    public func setEventHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
    ) { fatalError() }
    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
    ) { fatalError() }
}

public protocol DispatchSourceSignal: DispatchSourceProtocol {}

public class DispatchSource: DispatchObject, @unchecked Sendable {
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
}

public func dispatchMain() -> Never { fatalError() }
