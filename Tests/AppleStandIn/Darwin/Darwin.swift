// The Swift side of module Darwin, as far as the sources use it; declarations only.
// From Swift 5.8's stdlib/public/Platform: Platform.swift, Darwin.swift.in, TiocConstants.swift.
// swift-format-ignore-file
@_exported import Darwin

public var errno: Int32 {
    get { fatalError() }
    set { fatalError() }
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt, _ value: CInt) -> CInt { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> CInt { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt) -> CInt { fatalError() }

// Swift cannot import these macros, because they cast.
public var MAP_FAILED: UnsafeMutableRawPointer! { fatalError() }
public var CLOCK_REALTIME: clockid_t { fatalError() }
public var CLOCK_MONOTONIC: clockid_t { fatalError() }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }
public var SIG_ERR: sig_t { fatalError() }
public var RTLD_DEFAULT: UnsafeMutableRawPointer! { fatalError() }
public var S_IFMT: mode_t { 0xf000 }
public var S_IFDIR: mode_t { 0x4000 }
public var S_IFREG: mode_t { 0x8000 }

// Imported from math.h, with Swift's generic versions (stdlib/public/Platform/tgmath.swift.gyb).
public func pow(_ base: Float, _ exponent: Float) -> Float { fatalError() }
