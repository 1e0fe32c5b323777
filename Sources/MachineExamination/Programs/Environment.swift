internal import Foundation

/// A zero-terminated string of bytes, as the system takes it.
///
/// It is not a `String`, because file names and values of variables need not be UTF-8, and must reach the program
/// unchanged.
package typealias SystemString = [CChar]

extension SystemString {
    package init(copying text: UnsafePointer<CChar>) {
        self.init(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
    }

    /// The text for messages; bytes that are not UTF-8 are replaced.
    package var shown: String { String(decoding: dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

/// The environment variables of a program, in order and byte for byte.
package typealias Environment = [SystemString]

extension Environment {
    /// The variables of this process.
    package static var current: Environment {
        var result: Environment = []
        var next = environ
        while let variable = next.pointee {
            result.append(SystemString(copying: variable))
            next += 1
        }
        return result
    }

    /// The variables of this process, plus those that load the tap into a program.
    ///
    /// - Parameters:
    ///   - library: the path of the tap; nil if the program must not load it.
    ///   - socket: the path of the socket to which the tap sends its frames.
    ///   - keepBodies: the number of bytes of each body that the tap sends.
    ///   - digests: whether the tap computes digests of bodies.
    ///   - onlyLibcurl: whether only what goes through libcurl is to be metered.
    ///   - keyLog: the file into which programs that can do so write the secrets of their TLS; nil for none.
    /// - Returns: the environment to start the program with.
    package static func metered(
        by library: String?, socket: String, keepBodies: Int = 0, digests: Bool = true, onlyLibcurl: Bool = false,
        keyLog: String? = nil
    ) -> Environment {
        var variables = Environment.current
        variables.set("WIREWEIGHT_SOCKET", to: socket)
        variables.set("WIREWEIGHT_KEEP_BODY", to: keepBodies > 0 ? String(keepBodies) : nil)
        variables.set("WIREWEIGHT_NO_DIGESTS", to: digests ? nil : "1")
        if onlyLibcurl { variables.set("WIREWEIGHT_STREAMS", to: "off") }
        variables.set("WIREWEIGHT_TLS_KEYS", to: keyLog.map { _ in "1" })
        if let keyLog { variables.set("SSLKEYLOGFILE", to: keyLog) }
        if let library {
            let others = variables.value(of: "LD_PRELOAD") ?? ""
            variables.set("LD_PRELOAD", to: others.isEmpty ? library : "\(library):\(others)")
        }
        return variables
    }

    /// Replaces a variable in its place, or adds it at the end; nil removes it.
    package mutating func set(_ name: String, to value: String?) {
        let setting = value.map { SystemString("\(name)=\($0)".utf8CString) }
        guard let index = firstIndex(where: { Self.isNamed(name, $0) }) else {
            if let setting { append(setting) }
            return
        }
        if let setting { self[index] = setting } else { remove(at: index) }
    }

    /// The value of a variable; nil if it is not set.
    package func value(of name: String) -> String? {
        first { Self.isNamed(name, $0) }.map { SystemString($0.dropFirst(name.utf8.count + 1)).shown }
    }

    private static func isNamed(_ name: String, _ variable: SystemString) -> Bool {
        variable.lazy.map { UInt8(bitPattern: $0) }.starts(with: "\(name)=".utf8)
    }
}

extension [SystemString] {
    /// Calls a function with an array of pointers that ends with nil, as `exec` takes it.
    package func withPointers<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        let pointers: [UnsafeMutablePointer<CChar>?] = map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
