internal import ASCIIBytes
import TrafficModel

/// Decides which names of fields, query items and cookies are those of a secret.
///
/// A name is split into words at all characters except letters and digits, and a second time also before a capital
/// letter that begins a word. Case does not matter. Some words are also found inside a longer one, as in `authtoken`. A
/// doubtful name counts as secret: values of `max_tokens` and `Cache-Key` are replaced, too.
package struct SecretNames: Hashable, Sendable {
    private let words: [[UInt8]]
    /// Names of several words, which are compared as a whole.
    private let names: [[UInt8]]
    /// Rules out most names in one pass.
    private let filter: NameFilter

    /// The names that are always secret, and those with additional words.
    ///
    /// - Parameter extra: words such as `pin`; a name that has one of them as a word is secret. Names of several words,
    ///   such as `x-tenant`, are secret as a whole.
    package init(extra: [String] = []) {
        let extra = extra.map { Array($0.lowercased().utf8) }.filter { !$0.isEmpty }
        words = Self.alwaysWords + extra.filter { $0.allSatisfy(ASCII.isAlphanumeric) }
        names = extra.filter { !$0.allSatisfy(ASCII.isAlphanumeric) }
        filter = NameFilter(words + Self.parts + Self.ends)
    }

    static let alwaysWords: [[UInt8]] = [
        "keys", "sig", "sign", "pw", "passwd", "authorization",
        "authentication", "bearer", "cred", "creds", "session", "sessions", "sess", "sid", "csrf", "xsrf", "otp",
        "totp", "hmac", "assertion", "verifier", "cookie", "cookies", "saml", "samlresponse", "sas",
    ].map { Array($0.utf8) }

    /// Endings of words: there are many compounds such as `appkey`, `hostkey` and `userpass`.
    static let ends: [[UInt8]] = ["key", "pass", "pwd", "auth"].map { Array($0.utf8) }

    static let parts: [[UInt8]] = [
        "token", "secret", "passw", "passphrase", "passcode", "signature", "credential", "apikey", "sskey",
        "authkey", "privatekey", "sharedkey", "jwt", "sessionid", "sessid",
    ].map { Array($0.utf8) }

    /// Whether a name is that of a secret.
    package func contains(_ name: String) -> Bool { contains(Array(name.utf8)[...]) }

    /// Whether a name, given as its bytes, is that of a secret.
    func contains(_ name: ArraySlice<UInt8>) -> Bool {
        if names.contains(where: { Self.equals(name, $0[...]) }) { return true }
        guard name.count > 1, filter.mayMatch(name) else { return false }
        return hasWord(name, splitAtCapitals: false) || hasPart(name) || hasWord(name, splitAtCapitals: true)
    }

    private func hasWord(_ name: ArraySlice<UInt8>, splitAtCapitals: Bool) -> Bool {
        var start = name.startIndex
        var index = start
        while index <= name.endIndex {
            let isEnd = index == name.endIndex || !ASCII.isAlphanumeric(name[index])
            let isCapital = !isEnd && splitAtCapitals && index > start && Self.beginsWord(at: index, in: name)
            if isEnd || isCapital {
                if isSecretWord(name[start..<index]) { return true }
                start = isEnd ? index + 1 : index
            }
            index += 1
        }
        return false
    }

    private func isSecretWord(_ slice: ArraySlice<UInt8>) -> Bool {
        if isListed(slice) { return true }
        // A number after a word makes no difference: key1, password2.
        var word = slice
        while let last = word.last, last < 0x3A { word.removeLast() }
        if Self.ends.contains(where: { Self.equals(word.suffix($0.count), $0[...]) }) { return true }
        return word.count < slice.count && isListed(word)
    }

    private func isListed(_ word: ArraySlice<UInt8>) -> Bool {
        word.count > 1 && words.contains { Self.equals(word, $0[...]) }
    }

    private func hasPart(_ name: ArraySlice<UInt8>) -> Bool {
        for start in name.indices {
            let first = ASCII.lowercased(name[start])
            for part in Self.parts
            where part[0] == first && start + part.count <= name.endIndex
                && Self.equals(name[start..<(start + part.count)], part[...])
            {
                return true
            }
        }
        return false
    }

    /// Whether a word begins at that capital letter: the `K` of `apiKey`, and also that of `APIKey`.
    private static func beginsWord(at index: Int, in name: ArraySlice<UInt8>) -> Bool {
        guard ASCII.isUpper(name[index]) else { return false }
        if !ASCII.isUpper(name[index - 1]) { return true }
        let next = index + 1
        return next < name.endIndex && ASCII.isLower(name[next])
    }

    private static func equals(_ bytes: ArraySlice<UInt8>, _ lower: ArraySlice<UInt8>) -> Bool {
        bytes.count == lower.count && zip(bytes, lower).allSatisfy { ASCII.lowercased($0) == $1 }
    }
}
