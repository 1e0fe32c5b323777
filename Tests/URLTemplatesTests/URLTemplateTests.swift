import TestSupport
import Testing

@testable import URLTemplates

@Suite struct URLTemplateTests {
    @Test(
        "Each rule replaces its segments and no others",
        arguments: [
            ("", "/"),
            ("/", "/"),
            ("*", "*"),
            ("/users", "/users"),
            ("/users/", "/users/"),
            ("/users/42", "/users/{id}"),
            ("/users/42/posts/007", "/users/{id}/posts/{id}"),
            ("/v2/me/latest", "/v2/me/latest"),
            ("/items/123e4567-e89b-12d3-a456-426614174000", "/items/{uuid}"),
            ("/items/123E4567-E89B-12D3-A456-426614174000/x", "/items/{uuid}/x"),
            ("/items/123e4567-e89b-12d3-a456-42661417400g", "/items/123e4567-e89b-12d3-a456-42661417400g"),
            ("/blob/9f1c2ab4", "/blob/{hash}"),
            ("/blob/9f1c2ab", "/blob/9f1c2ab"),
            ("/word/deadbeef", "/word/deadbeef"),
            ("/d/2026-11-21", "/d/{date}"),
            ("/d/2026-11-21T10:00:00Z", "/d/{date}"),
            ("/d/2026-11-21T10%3A00%3A00.5+01:00", "/d/{date}"),
            ("/d/2026-13-21", "/d/2026-13-21"),
            ("/d/2026-11-21Tonight", "/d/2026-11-21Tonight"),
            ("/tiles/3/4/5.png", "/tiles/{id}/{id}/{id}.png"),
            ("/v1.2/x", "/v1.2/x"),
            ("/1.5/x", "/1.5/x"),
            ("//42//x", "//{id}//x"),
            ("/käse/42", "/käse/{id}"),
        ])
    func rules(path: String, template: String) {
        #expect(URLTemplate().template(of: path) == template)
    }

    @Test("A template is never longer than its limit, whatever the path")
    func bounded() {
        let templates = URLTemplate(limit: 64)
        let long = String(repeating: "/segment", count: 100)
        #expect(templates.template(of: long) == "/segment/segment/segment/segment/segment/segment/segment/…")
        #expect(templates.template(of: "/" + String(repeating: "x", count: 10_000)) == "/…")
        #expect(templates.template(of: String(repeating: "x", count: 10_000)) == "/…")
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let path = String(
                (0..<Int.random(in: 0...300, using: &random)).map { _ in "/a1é-".randomElement(using: &random)! })
            #expect(templates.template(of: path).utf8.count <= 64)
        }
    }
}
