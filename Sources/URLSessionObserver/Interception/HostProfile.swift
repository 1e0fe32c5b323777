internal import Foundation
package import HTTPWire

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What this platform's loader adds to requests, as this process would send it.
package enum HostProfile {
    /// The profile for requests to that scheme.
    package static func current(isSecure: Bool) -> PlatformProfile {
        #if canImport(ObjectiveC) || APPLE_STAND_IN
            return .apple(
                userAgent: appleUserAgent, languages: languages(Locale.preferredLanguages), isSecure: isSecure)
        #else
            return .foundationLinux(
                userAgent: "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(curlVersion)",
                language: NSLocale.current.languageCode)
        #endif
    }

    /// `en-GB, de` as `en-GB,de;q=0.9`, the way that CFNetwork weighs them; six at most.
    static func languages(_ preferred: [String]) -> String {
        preferred.prefix(6).enumerated().map { index, language in
            index == 0 ? language : "\(language);q=0.\(10 - index)"
        }.joined(separator: ",")
    }

    #if canImport(ObjectiveC) || APPLE_STAND_IN
        private static let appleUserAgent: String = {
            let build = Bundle.main.infoDictionary?["CFBundleVersion"] as? String ?? "1"
            let network =
                Bundle(identifier: "com.apple.CFNetwork")?.infoDictionary?["CFBundleVersion"] as? String ?? ""
            return "\(ProcessInfo.processInfo.processName)/\(build) CFNetwork/\(network) Darwin/"
        }()
    #else
        /// The loaded libcurl's version, which Foundation names in `User-Agent`.
        private static let curlVersion: String = {
            typealias Version = @convention(c) () -> UnsafePointer<CChar>?
            guard let symbol = dlsym(nil, "curl_version"), let text = unsafeBitCast(symbol, to: Version.self)() else {
                return ""
            }
            // `libcurl/7.88.1 OpenSSL/3.0.15 …`
            return String(String(cString: text).prefix { $0 != " " }.drop { $0 != "/" }.dropFirst())
        }()
    #endif
}
