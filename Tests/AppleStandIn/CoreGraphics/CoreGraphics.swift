// CGFloat, which Swift's overlays have for Apple's systems (swift-corelibs-foundation: Sources/Foundation/CGFloat.swift).
// swift-format-ignore-file

public struct CGFloat: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(_ value: Double) { fatalError() }
    public init(_ value: Int) { fatalError() }
    public init(floatLiteral value: Double) { fatalError() }
    public init(integerLiteral value: Int) { fatalError() }
}

public struct CGRect: Sendable {
    public static var zero: CGRect { fatalError() }
}
