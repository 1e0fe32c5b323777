internal import Diagnosis

/// This machine in one line, as `--version` prints it.
package enum Platform {
    /// The system, the processor and the C library, such as `Linux 6.1.0, x86_64, glibc 2.36`.
    package static var text: String {
        let system = Machine.system
        return [system.kernel, system.processor, system.libc].compactMap(\.self).joined(separator: ", ")
    }

    /// The libcurl that programs load by its usual name, such as `7.88.1 OpenSSL/3.0.19`; nil if there is none.
    package static var libcurl: String? { SelfTest.Libcurl(loading: "libcurl.so.4")?.description }
}
