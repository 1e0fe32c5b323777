#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A library that is loaded at run time, if the system has it.
///
/// A program that uses libcurl has the libraries that libcurl needs; other programs need not have them to build.
///
/// `@unchecked Sendable`: the handle is never closed and never changes.
package struct LoadedLibrary: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// The first of these libraries that can be loaded; nil if there is none.
    package init?(_ names: String...) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        self.handle = handle
    }

    /// A function of the library as a value of its C type, which the caller must know; nil if there is none.
    package func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
