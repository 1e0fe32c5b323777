/// An implementation of TLS that the tap does not see into.
struct HTTPStack: Equatable {
    /// What the program is or has, after "it".
    let title: String
    /// What the user can do about its HTTPS.
    var advice = Remedy.proxy

    /// The TLS library among these that the tap knows; nil if there is none.
    static func knownTLS(of libraries: Set<String>) -> String? {
        first(["libssl.so.3", "libssl.so.1.1", "libgnutls.so.30", "libssl3.so"], of: libraries)
    }

    /// The TLS library among these that the tap does not know; nil if there is none.
    static func unknownTLS(of libraries: Set<String>) -> HTTPStack? {
        first(["libmbedtls.so", "libwolfssl.so", "libs2n.so", "libtls.so"], of: libraries).map {
            HTTPStack(title: "uses the TLS of \($0), which the tap does not know")
        }
    }

    private static func first(_ prefixes: [String], of libraries: Set<String>) -> String? {
        libraries.sorted().first { library in prefixes.contains { library.hasPrefix($0) } }
    }

    /// The stack of a program that usually has a TLS of its own, whatever it is linked with; nil for most programs.
    static func own(_ name: String, _ libraries: Set<String>) -> HTTPStack? {
        if name == "java" || ["libjvm", "libjli"].contains(where: { first([$0], of: libraries) != nil }) {
            return HTTPStack(title: "is a Java virtual machine, whose TLS is written in Java")
        }
        if name == "node" || name == "nodejs", knownTLS(of: libraries) == nil {
            return HTTPStack(
                title: "is Node with OpenSSL inside it, whose functions have no names",
                advice: "Use a build of Node on the shared libssl, such as Debian's. \(Remedy.proxy)")
        }
        return startedByScript(name)
    }

    /// The stack of a browser, which may be started by a script of that name; nil for most programs.
    static func startedByScript(_ name: String) -> HTTPStack? {
        let browsers = [
            "chromium", "chromium-browser", "chrome", "google-chrome", "google-chrome-stable", "electron",
        ]
        guard browsers.contains(name) else { return nil }
        return HTTPStack(
            title: "is a browser with a TLS of its own",
            advice: "Save a HAR in its developer tools, and run 'wireweight import' on it.")
    }

    /// Whether a program, or the script that starts it, is a browser whose TLS is NSS.
    static func isOnNSS(_ name: String) -> Bool { ["firefox", "firefox-esr"].contains(name) }

    /// The language of an interpreter whose modules load libraries that the tap knows; nil for other programs.
    static func language(_ name: String, _ libraries: Set<String>) -> String? {
        let languages = [("python", "Python"), ("ruby", "Ruby"), ("perl", "Perl"), ("php", "PHP")]
        return languages.first { name.hasPrefix($0.0) || first(["lib\($0.0)"], of: libraries) != nil }?.1
    }
}
