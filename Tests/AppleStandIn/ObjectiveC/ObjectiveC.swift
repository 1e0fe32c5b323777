// The Swift side of the Objective-C runtime, as far as URLSessionObserver uses it; declarations only. From Swift's
// stdlib/public/SDK/ObjectiveC/ObjectiveC.swift, of the releases in which Swift's repository still had it.
// swift-format-ignore-file
@_exported import ObjectiveC

public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public init(_ value: Bool) { fatalError() }
    public init(booleanLiteral value: Bool) { fatalError() }
    public var boolValue: Bool { fatalError() }
}

public struct Selector: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
    var pointer: OpaquePointer
    public init(_ name: String) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { fatalError() }
