#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension SelfTest {
    /// A libcurl on this machine, as `curl_version_info` and its file describe it.
    public struct Libcurl: Sendable, Hashable {
        /// The name by which programs load it, such as `libcurl-gnutls.so.4`, or the file's name.
        public let name: String
        /// The path of its file.
        public let path: String
        /// The version, such as `7.88.1`.
        public let version: String
        /// The version as one number, such as `0x075801`.
        let number: UInt32
        /// The TLS library that it uses, such as `OpenSSL/3.0.19`; nil if it has no TLS.
        public let tls: String?
        /// The version of the nghttp2 that it uses; nil if it has no HTTP/2 or does not report it.
        public let nghttp2: String?
        /// The libraries that it uses for HTTP/3; nil if it has no HTTP/3 or does not report it.
        public let quic: String?
        /// Whether the tap can measure HTTP/2 frames: libcurl calls nghttp2 as a separate shared library.
        public let showsFrames: Bool
        /// Whether the tap can separate plaintext from the bytes that TLS adds: libcurl calls OpenSSL or GnuTLS as a
        /// separate shared library.
        public let showsPlaintext: Bool

        /// Whether the tap supports this version; it does not meter with other versions.
        ///
        /// It leaves 7.64.1 alone, which would print to the program's standard error if it were metered.
        public var isKnown: Bool { (0x07_3D00..<0x09_0000).contains(number) && number != 0x07_4001 }
    }
}

extension SelfTest.Libcurl: CustomStringConvertible {
    /// The name and version, and the versions of its TLS, HTTP/2 and HTTP/3 libraries.
    public var description: String {
        let parts = [tls, nghttp2.map { "nghttp2/\($0)" }, quic].compactMap(\.self)
        return "\(name): \(([version] + parts).joined(separator: " "))"
    }
}

#if os(Linux)
    extension SelfTest.Libcurl {
        /// The libcurls that are loaded in this process.
        static var loaded: [Self] {
            var paths: [String] = []
            for (_, path) in mappedFiles {
                let name = path.split(separator: "/").last ?? ""
                if name.hasPrefix("libcurl"), name.contains(".so"), !paths.contains(path) { paths.append(path) }
            }
            return paths.compactMap { Self(loading: $0, onlyIfLoaded: true) }
        }

        /// The functions that the tap intercepts to measure frames: it needs one of each set.
        private static let neededForFrames: [Set<String>] = [
            ["nghttp2_session_client_new", "nghttp2_session_client_new2", "nghttp2_session_client_new3"],
            ["nghttp2_session_del"],
            ["nghttp2_session_mem_recv", "nghttp2_session_mem_recv2"],
            [
                "nghttp2_session_callbacks_set_send_callback", "nghttp2_session_callbacks_set_send_callback2",
                "nghttp2_session_mem_send", "nghttp2_session_mem_send2",
            ],
            ["nghttp2_submit_request", "nghttp2_submit_request2"],
        ]
        /// The functions that the tap intercepts to count plaintext: it needs all of one set.
        private static let neededForPlaintext: [Set<String>] = [
            ["SSL_new", "SSL_free", "SSL_read", "SSL_write"],
            ["gnutls_init", "gnutls_deinit", "gnutls_record_recv", "gnutls_record_send"],
        ]

        /// The files mapped into this process's memory, with their address ranges.
        private static var mappedFiles: [(range: Range<UInt>, path: String)] {
            guard let maps = fopen("/proc/self/maps", "re") else { return [] }
            defer { fclose(maps) }
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { free(line) }
            var result: [(Range<UInt>, String)] = []
            while getline(&line, &capacity, maps) > 0, let start = line {
                let text = String(cString: start)
                let bounds = text.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard let slash = text.firstIndex(of: "/"), bounds.count == 2, bounds[0] < bounds[1] else { continue }
                result.append((bounds[0]..<bounds[1], String(text[slash...].prefix { $0 != "\n" })))
            }
            return result
        }

        /// Asks a libcurl for its versions; nil if no library of that name can be loaded.
        ///
        /// - Parameters:
        ///   - name: a path, or a name such as `libcurl.so.4` that the dynamic linker looks up.
        ///   - onlyIfLoaded: whether to return nil, instead of loading it, if it is not loaded yet.
        package init?(loading name: String, onlyIfLoaded: Bool = false) {
            guard let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL | (onlyIfLoaded ? RTLD_NOLOAD : 0)) else {
                return nil
            }
            // A library that we loaded stays loaded: some libraries that libcurl uses cannot be unloaded safely.
            defer { if onlyIfLoaded { dlclose(handle) } }
            guard let function = dlsym(handle, "curl_version_info") else { return nil }
            let ask = unsafeBitCast(function, to: (@convention(c) (Int32) -> UnsafeRawPointer?).self)
            guard let info = ask(0)?.load(as: CurlVersionInfo.self), let version = info.version else { return nil }
            self.name = name.split(separator: "/").last.map(String.init) ?? name
            let address = UInt(bitPattern: function)
            path = Self.mappedFiles.first { $0.range.contains(address) }?.path ?? name
            self.version = String(cString: version)
            number = info.versionNumber
            tls = info.tls.map { String(cString: $0) }
            // `age` says how many members the structure has (https://curl.se/libcurl/c/curl_version_info.html).
            nghttp2 = info.age >= 5 && info.nghttp2Number != 0 ? info.nghttp2.map { String(cString: $0) } : nil
            quic = info.age >= 5 ? info.quic.map { String(cString: $0) } : nil
            let imports = FilePieces(path).flatMap { file in ELFFile { file.read($0, $1) } }?.imports ?? []
            showsFrames = Self.neededForFrames.allSatisfy { !imports.isDisjoint(with: $0) }
            showsPlaintext = Self.neededForPlaintext.contains { imports.isSuperset(of: $0) }
        }
    }

    /// The first members of `curl_version_info_data`; libcurl adds new members only at the end.
    private struct CurlVersionInfo {
        var age: Int32
        var version: UnsafePointer<CChar>?
        var versionNumber: UInt32
        var host: UnsafePointer<CChar>?
        var features: Int32
        var tls: UnsafePointer<CChar>?
        var tlsNumber: Int
        var zlib: UnsafePointer<CChar>?
        var protocols: UnsafeRawPointer?
        var ares: UnsafePointer<CChar>?
        var aresNumber: Int32
        var idn: UnsafePointer<CChar>?
        var iconvNumber: Int32
        var ssh: UnsafePointer<CChar>?
        var brotliNumber: UInt32
        var brotli: UnsafePointer<CChar>?
        var nghttp2Number: UInt32
        var nghttp2: UnsafePointer<CChar>?
        var quic: UnsafePointer<CChar>?
    }
#else
    extension SelfTest.Libcurl {
        static var loaded: [Self] { [] }
    }
#endif
