import Testing

@testable import URLTemplates

@Suite struct TemplatePatternTests {
    @Test(
        "A pattern fits the paths it should and no others",
        arguments: [
            ("/shops/{shop}/items/{item}", "/shops/acme/items/4711", true),
            ("/shops/{shop}/items/{item}", "/shops/acme/items/", false),
            ("/shops/{shop}/items/{item}", "/shops//items/1", false),
            ("/shops/{shop}/items/{item}", "/shops/acme/items", false),
            ("/shops/{shop}/items/{item}", "/shops/acme/items/1/x", false),
            ("/shops/{shop}/items/{item}", "/shops/acme/items/1/", false),
            ("/shops/{shop}/items/{item}", "/Shops/acme/items/1", false),
            ("/tiles/{z}/{x}/{y}.png", "/tiles/1/2/3.png", true),
            ("/tiles/{z}/{x}/{y}.png", "/tiles/1/2/.png", false),
            ("/tiles/{z}/{x}/{y}.png", "/tiles/1/2/3.jpg", false),
            ("/models/{model}:{verb}", "/models/pro:run", true),
            ("/models/{model}:{verb}", "/models/:run", false),
            ("/models/{model}:{verb}", "/models/pro:", false),
            ("/a{b}a", "/aa", false),
            ("/a{b}a", "/aXa", true),
            ("/files/{path...}", "/files/a/b/c.txt", true),
            ("/files/{path...}", "/files/a", true),
            ("/files/{path...}", "/files/", false),
            ("/files/{path...}", "/files", false),
            ("/{all...}", "/x/y", true),
            ("/{all...}", "/", false),
            ("/", "/", true),
            ("/", "/x", false),
            ("/", "", false),
            ("/api/chat.postMessage", "/api/chat.postMessage", true),
        ])
    func fits(pattern: String, path: String, isFit: Bool) throws {
        let template = URLTemplate(given: [try TemplatePattern(pattern)])
        #expect(template.givenTemplate(of: path) == (isFit ? pattern : nil))
    }

    @Test(
        "What is no template is refused with the reason and an example",
        arguments: [
            ("shops/{shop}", "it must begin with '/'"), ("", "it must begin with '/'"),
            ("/shops/{shop", "a '{' has no '}' in its segment"), ("/shops/shop}", "a '}' has no '{' before it"),
            ("/shops/{}", "'{}' needs a name"), ("/shops/{a b}", "it holds a space"),
            ("/shops/{a-b}", "'{a-b}' needs a name"), ("/x/{a}{b}", "there must be something between"),
            ("/x?a=1", "it must not hold a query"), ("/{rest...}/x", "nothing can follow '{name...}'"),
            ("/x/{a/b}", "a '{' has no '}'"), ("/" + String(repeating: "x", count: 512), "it is longer than 512 bytes"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: TemplatePattern.Invalid.self) { try TemplatePattern(text) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("write it like '/shops/{shop}/items/{item}'") == true)
    }
}
