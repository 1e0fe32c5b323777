internal import ASCIIBytes
internal import TrafficModel

/// How random a text of letters and digits looks: whether it is a token of base 62 or base64, or a name.
///
/// A name consists of words, each a run of letters with a vowel, such as `get`, `User` and `Info` in `getUser2Info`. A
/// token has such runs only by chance, so less than half of it is words.
struct TokenShape {
    private var count = 0
    private var hasUpper = false
    private var hasLower = false
    private var separators = 0
    private var digitRuns = 0
    private var inWords = 0
    private var isPadded = false

    /// The shape of those bytes; nil if one is not a letter, a digit, `-` or `_`, apart from up to two `=` at the end.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.last == UInt8(ascii: "="), bytes.count - rest.count < 2 { rest = rest.dropLast() }
        isPadded = rest.count < bytes.count
        count = rest.count
        var wordLength = 0
        var hasVowel = false
        var before: UInt8 = 0
        func endWord(_ inWords: inout Int) {
            if wordLength >= 3, hasVowel { inWords += wordLength }
        }
        for byte in rest {
            if ASCII.isLetter(byte) {
                let isUpper = ASCII.isUpper(byte)
                if isUpper { hasUpper = true } else { hasLower = true }
                if isUpper || !ASCII.isLetter(before) {
                    endWord(&inWords)
                    (wordLength, hasVowel) = (0, false)
                }
                wordLength += 1
                if "aeiouy".utf8.contains(byte | 0x20) { hasVowel = true }
            } else {
                endWord(&inWords)
                (wordLength, hasVowel) = (0, false)
                if ASCII.isDigit(byte) {
                    if !ASCII.isDigit(before) { digitRuns += 1 }
                } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                    separators += 1
                } else {
                    return nil
                }
            }
            before = byte
        }
        endWord(&inWords)
    }

    /// Whether a value of this shape is a token.
    var isToken: Bool {
        if isPadded, count >= 8, hasUpper { return inWords * 2 < count }
        guard digitRuns > 0 else { return count >= 32 && hasUpper && hasLower && inWords * 2 < count }
        switch (hasUpper, hasLower) {
        case (true, true):
            if separators > 0 { return count >= 20 && inWords * 3 < count }
            return count >= 16 ? inWords * 2 < count : count >= 10 && inWords * 3 < count
        case (true, false):
            return separators > 0 ? count >= 16 && digitRuns >= 3 : count >= 9 && digitRuns >= 2
        case (false, true): return separators == 0 && count >= 16 && digitRuns >= 3
        case (false, false): return false
        }
    }

    /// Whether it looks like a bundler's hash in a file name: eight characters, letters of both cases and digits.
    var isShortHash: Bool {
        count == 8 && separators == 0 && hasUpper && hasLower && digitRuns > 0 && inWords * 2 < count
    }
}
