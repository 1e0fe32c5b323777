import Testing

@testable import TrafficInspector

struct RequestTests {
    // RFC 3986, section 2.1. In a query a plus sign is a space, as in HTML forms.
    @Test(arguments: [
        ("a%2Bb+c", true, "a+b c"), ("a%2bb+c", false, "a+b+c"), ("%+1", true, "% 1"), ("%-1", false, "%-1"),
        ("%2", false, "%2"), ("100%", false, "100%"), ("%C3%A4", false, "ä"),
    ])
    func escapesAreDecodedOnce(text: String, plusIsSpace: Bool, decoded: String) {
        #expect(Request.decoded(text[...], plusIsSpace: plusIsSpace) == decoded)
    }
}
