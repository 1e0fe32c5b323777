import Foundation

/// The libcurl that Foundation has loaded.
enum LoadedCurl {
    /// Its words about itself, such as `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`.
    static let version: String = {
        guard let symbol = dlsym(nil, "curl_version") ?? dlsym(dlopen("libcurl.so.4", RTLD_NOW), "curl_version") else {
            return ""
        }
        typealias Function = @convention(c) () -> UnsafePointer<CChar>?
        return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) } ?? ""
    }()
}
