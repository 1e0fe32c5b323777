// Foundation's processes, threads, files and locks, as far as the sources use them; declarations only. From
// swift-corelibs-foundation: Sources/Foundation/ProcessInfo.swift, Bundle.swift, Thread.swift, RunLoop.swift,
// NSLock.swift, FileHandle.swift, FileManager.swift, Process.swift.
// swift-format-ignore-file
import ObjectiveC

public class ProcessInfo: NSObject, @unchecked Sendable {
    public var processIdentifier: Int32 { fatalError() }
    public var environment: [String: String] { fatalError() }
    public var arguments: [String] { fatalError() }
    public var hostName: String { fatalError() }
    public var systemUptime: TimeInterval { fatalError() }
    public var activeProcessorCount: Int { fatalError() }
    public var processorCount: Int { fatalError() }
    public var physicalMemory: UInt64 { fatalError() }
    public var globallyUniqueString: String { fatalError() }
    public var operatingSystemVersionString: String { fatalError() }
    public var operatingSystemVersion: OperatingSystemVersion { fatalError() }
    public static var processInfo: ProcessInfo { fatalError() }
    public var processName: String { fatalError() }
}

public struct OperatingSystemVersion: Sendable {
    public var majorVersion: Int
    public var minorVersion: Int
    public var patchVersion: Int
}

public class Bundle: NSObject, @unchecked Sendable {
    public static var main: Bundle { fatalError() }
    public init?(identifier: String) { fatalError() }
    public init(for type: AnyClass) { fatalError() }
    public var bundleIdentifier: String? { fatalError() }
    public var bundlePath: String { fatalError() }
    public func url(forResource name: String?, withExtension type: String?) -> URL? { fatalError() }
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

public enum QualityOfService: Int, Sendable { case userInteractive, userInitiated, utility, background, `default` }

// A thread and a run loop are not Sendable in the SDK.
public class Thread: NSObject {
    public class var current: Thread { fatalError() }
    public class var isMainThread: Bool { fatalError() }
    public class func sleep(forTimeInterval seconds: TimeInterval) { fatalError() }
    @preconcurrency public init(block: @escaping @Sendable () -> Void) { fatalError() }
    public var name: String?
    public var stackSize: Int
    public var qualityOfService: QualityOfService
    public func start() { fatalError() }
    public class func detachNewThread(_ block: @escaping @Sendable () -> Void) { fatalError() }
    public class var callStackSymbols: [String] { fatalError() }
}

public class CFRunLoop {}
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) { fatalError() }

public class RunLoop: NSObject {
    public struct Mode: Hashable, Sendable {
        public static var `default`: Mode { fatalError() }
        public static var common: Mode { fatalError() }
    }
    public class var current: RunLoop { fatalError() }
    public class var main: RunLoop { fatalError() }
    public func run() { fatalError() }
    public func run(until date: Date) { fatalError() }
    public func run(mode: Mode, before date: Date) -> Bool { fatalError() }
    public var currentMode: Mode? { fatalError() }
    public func getCFRunLoop() -> CFRunLoop { fatalError() }
    public func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) { fatalError() }
}

// Key-value coding (https://developer.apple.com/documentation/objectivec/nsobject/1415969-setvalue).
extension NSObject {
    public func setValue(_ value: Any?, forKey key: String) { fatalError() }
}

// MARK: locks

public protocol NSLocking {
    func lock()
    func unlock()
}

extension NSLocking {
    public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { fatalError() }
}

open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    public override init() { fatalError() }
    open func lock() { fatalError() }
    open func unlock() { fatalError() }
    open func `try`() -> Bool { fatalError() }
}

open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
    public override init() { fatalError() }
    open func lock() { fatalError() }
    open func unlock() { fatalError() }
}

open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
    public override init() { fatalError() }
    open func lock() { fatalError() }
    open func unlock() { fatalError() }
    open func wait() { fatalError() }
    open func wait(until limit: Date) -> Bool { fatalError() }
    open func signal() { fatalError() }
    open func broadcast() { fatalError() }
}

// MARK: files

public struct FileAttributeKey: Hashable, Sendable {
    public static var posixPermissions: FileAttributeKey { fatalError() }
    public static var size: FileAttributeKey { fatalError() }
    public static var modificationDate: FileAttributeKey { fatalError() }
    public static var protectionKey: FileAttributeKey { fatalError() }
}

public struct FileProtectionType: Hashable, Sendable {
    public static var completeUntilFirstUserAuthentication: FileProtectionType { fatalError() }
}

public func NSTemporaryDirectory() -> String { fatalError() }

public class FileManager: NSObject, @unchecked Sendable {
    public func createSymbolicLink(atPath path: String, withDestinationPath destination: String) throws { fatalError() }
    public struct SearchPathDirectory: Hashable, Sendable {
        public static var applicationSupportDirectory: SearchPathDirectory { fatalError() }
        public static var cachesDirectory: SearchPathDirectory { fatalError() }
        public static var documentDirectory: SearchPathDirectory { fatalError() }
    }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var userDomainMask: SearchPathDomainMask { fatalError() }
    }
    public class var `default`: FileManager { fatalError() }
    public var currentDirectoryPath: String { fatalError() }
    public var homeDirectoryForCurrentUser: URL { fatalError() }
    public var temporaryDirectory: URL { fatalError() }
    public func urls(for directory: SearchPathDirectory, in domain: SearchPathDomainMask) -> [URL] { fatalError() }
    public func fileExists(atPath path: String) -> Bool { fatalError() }
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
    public func isExecutableFile(atPath path: String) -> Bool { fatalError() }
    public func isReadableFile(atPath path: String) -> Bool { fatalError() }
    public func isWritableFile(atPath path: String) -> Bool { fatalError() }
    public func contents(atPath path: String) -> Data? { fatalError() }
    public func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
    public func destinationOfSymbolicLink(atPath path: String) throws -> String { fatalError() }
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws { fatalError() }
    @discardableResult public func createFile(
        atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool { fatalError() }
    public func createDirectory(
        at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws { fatalError() }
    public func createDirectory(
        atPath path: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws { fatalError() }
    public func removeItem(at url: URL) throws { fatalError() }
    public func removeItem(atPath path: String) throws { fatalError() }
    public func moveItem(at url: URL, to target: URL) throws { fatalError() }
    public func moveItem(atPath path: String, toPath target: String) throws { fatalError() }
    public func copyItem(at url: URL, to target: URL) throws { fatalError() }
    public func copyItem(atPath path: String, toPath target: String) throws { fatalError() }
    public func replaceItemAt(_ url: URL, withItemAt other: URL) throws -> URL? { fatalError() }
}

public class FileHandle: NSObject, @unchecked Sendable {
    public class var standardInput: FileHandle { fatalError() }
    public class var standardOutput: FileHandle { fatalError() }
    public class var standardError: FileHandle { fatalError() }
    public class var nullDevice: FileHandle { fatalError() }
    public init?(forReadingAtPath path: String) { fatalError() }
    public init?(forWritingAtPath path: String) { fatalError() }
    public init(fileDescriptor: Int32, closeOnDealloc: Bool) { fatalError() }
    public init(forReadingFrom url: URL) throws { fatalError() }
    public init(forWritingTo url: URL) throws { fatalError() }
    public init?(forUpdatingAtPath path: String) { fatalError() }
    public init(forUpdating url: URL) throws { fatalError() }
    public var fileDescriptor: Int32 { fatalError() }
    public func readDataToEndOfFile() -> Data { fatalError() }
    public func readToEnd() throws -> Data? { fatalError() }
    public func read(upToCount count: Int) throws -> Data? { fatalError() }
    public func write<T: Sequence>(contentsOf data: T) throws where T.Element == UInt8 { fatalError() }
    public func write(_ data: Data) { fatalError() }
    public func seek(toOffset offset: UInt64) throws { fatalError() }
    @discardableResult public func seekToEnd() throws -> UInt64 { fatalError() }
    public func offset() throws -> UInt64 { fatalError() }
    public func truncate(atOffset offset: UInt64) throws { fatalError() }
    public func synchronize() throws { fatalError() }
    public func close() throws { fatalError() }
    public var availableData: Data { fatalError() }
}

public class Pipe: NSObject, @unchecked Sendable {
    public override init() { fatalError() }
    public var fileHandleForReading: FileHandle { fatalError() }
    public var fileHandleForWriting: FileHandle { fatalError() }
}

// Only macOS has it.
#if os(macOS)
    public class Process: NSObject, @unchecked Sendable {
        public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
        public override init() { fatalError() }
        public var executableURL: URL?
        public var currentDirectoryURL: URL?
        public var arguments: [String]?
        public var environment: [String: String]?
        public var standardInput: Any?
        public var standardOutput: Any?
        public var standardError: Any?
        public var terminationHandler: (@Sendable (Process) -> Void)?
        public var isRunning: Bool { fatalError() }
        public var processIdentifier: Int32 { fatalError() }
        public var terminationStatus: Int32 { fatalError() }
        public var terminationReason: TerminationReason { fatalError() }
        public func run() throws { fatalError() }
        public func interrupt() { fatalError() }
        public func terminate() { fatalError() }
        public func waitUntilExit() { fatalError() }
    }
#endif
