internal import Foundation
package import HTTPWire

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The fields that this platform's loader adds to requests of this process.
package enum HostProfile {
    /// Returns the profile for `https` requests or for `http` requests.
    package static func current(isSecure: Bool) -> PlatformProfile {
        #if canImport(ObjectiveC)
            return .apple(
                userAgent: appleUserAgent, languages: languages(Locale.preferredLanguages), isSecure: isSecure)
        #else
            return .foundationLinux(
                userAgent: "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(curlVersion)",
                language: NSLocale.current.languageCode)
        #endif
    }

    /// Formats `en-GB, de` as `en-GB,de;q=0.9`, with the weights that CFNetwork uses; six languages at most.
    static func languages(_ preferred: [String]) -> String {
        preferred.prefix(6).enumerated().map { index, language in
            index == 0 ? language : "\(language);q=0.\(10 - index)"
        }.joined(separator: ",")
    }

    #if canImport(ObjectiveC)
        private static let appleUserAgent: String = {
            let build = Bundle.main.infoDictionary?["CFBundleVersion"] as? String ?? "1"
            let network =
                Bundle(identifier: "com.apple.CFNetwork")?.infoDictionary?["CFBundleVersion"] as? String ?? ""
            return "\(ProcessInfo.processInfo.processName)/\(build) CFNetwork/\(network) Darwin/\(kernelRelease)"
        }()

        /// The release of the kernel, such as `23.6.0`.
        private static var kernelRelease: String {
            var system = utsname()
            guard withUnsafeMutablePointer(to: &system, { uname($0) }) == 0 else { return "" }
            return withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    #else
        /// The version of the loaded libcurl, which Foundation puts into `User-Agent`.
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
