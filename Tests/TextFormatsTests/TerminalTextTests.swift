import Testing
import TextFormats

@Suite struct TerminalTextTests {
    @Test("A text is elided in its middle, by columns")
    func elision() {
        #expect(TerminalText.elided("abcdefgh", to: 8) == "abcdefgh")
        #expect(TerminalText.elided("abcdefghi", to: 8) == "abcd…ghi")
        #expect(TerminalText.elided("日本語日本語", to: 6) == "日…語")
        #expect(TerminalText.elided("ab", to: 1) == "…")
        #expect(TerminalText.elided("ab", to: 0) == "")
    }

    @Test("Ends are taken apart")
    func ends() {
        #expect(AddressParts("127.0.0.1:80").address == "127.0.0.1" && AddressParts("127.0.0.1:80").port == 80)
        #expect(AddressParts("[::1]:443").address == "::1" && AddressParts("[::1]:443").port == 443)
        #expect(AddressParts(":5").address == "" && AddressParts(":5").port == 5)
        #expect(AddressParts("").address == "" && AddressParts("").port == nil)
        #expect(AddressParts("path").address == "path" && AddressParts("path").port == nil)
    }
}
