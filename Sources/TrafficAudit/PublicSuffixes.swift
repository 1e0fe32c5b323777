internal import ContentCoding

/// The list of public suffixes (https://publicsuffix.org) that libpsl brings, if the system has it.
///
/// `@unchecked Sendable`: libpsl never changes the list that is compiled into it.
struct PublicSuffixes: @unchecked Sendable {
    private typealias BuiltIn = @convention(c) () -> OpaquePointer?
    private typealias RegistrableDomain =
        @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> UnsafePointer<CChar>?

    private let list: OpaquePointer
    private let registrableDomain: RegistrableDomain

    /// The list of this system; nil without libpsl.
    static let system = PublicSuffixes()

    private init?() {
        guard let library = LoadedLibrary("libpsl.so.5", "libpsl.dylib"),
            let builtIn = library.function("psl_builtin", as: BuiltIn.self),
            let registrableDomain = library.function("psl_registrable_domain", as: RegistrableDomain.self),
            let list = builtIn()
        else { return nil }
        self.list = list
        self.registrableDomain = registrableDomain
    }

    /// The registered part of a host, in lower case; nil for a public suffix itself.
    func registrableDomain(of host: String) -> String? {
        // A pointer into the host.
        host.withCString { host in registrableDomain(list, host).map { String(cString: $0) } }
    }
}
