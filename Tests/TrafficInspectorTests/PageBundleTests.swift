import Foundation
import Testing

@testable import TrafficInspector

/// The page's modules become one script.
struct PageBundleTests {
    private static let page = """
        <link rel="stylesheet" href="/base.css">
        <link rel="stylesheet" href="/list.css">
        <script src="/theme.js"></script>
        <script type="module" src="/app.js"></script>

        """

    private func assets(_ modules: [String: String]) throws -> [String: PageAsset] {
        let others = [
            "index.html": Self.page, "base.css": "a{}\n", "list.css": "b{}\n", "theme.js": "1;\n", "icon.svg": "<svg/>",
        ]
        return try PageBundle(others.merging(modules) { $1 }).assets()
    }

    private func text(_ prefix: String, of assets: [String: PageAsset]) throws -> String {
        String(decoding: try #require(assets.first { $0.key.hasPrefix(prefix) }?.value).bytes, as: UTF8.self)
    }

    @Test func eachModuleIsAFunctionAfterThoseThatItNeeds() throws {
        let assets = try assets([
            "app.js": "import { b as other } from \"./b-c.js\";\nother();\n",
            "b-c.js": "export const a = 1;\nexport async function b() { return a; }\n",
        ])
        #expect(
            try text("app.", of: assets) == """
                const $b_c = (() => {
                const a = 1;
                async function b() { return a; }
                return { a, b };
                })();
                const $app = (() => {
                const { b: other } = $b_c;
                other();
                })();

                """)
    }

    @Test func commentsStayWithTheirReadersAndLinesKeepTheirNumbers() throws {
        let assets = try assets([
            "app.js": """
            // Of the module.
            /**
             * @param {string} a
             */
            const f = (a) => /** @type {any} */ (a); // after code
              /** One line. */
              /** @type {any} */ (f)("// text");

            """
        ])
        #expect(
            try text("app.", of: assets) == """
                const $app = (() => {




                const f = (a) => /** @type {any} */ (a); // after code

                /** @type {any} */ (f)("// text");
                })();

                """)
    }

    @Test func thePageNamesTheFilesByWhatTheyHold() throws {
        let assets = try assets(["app.js": "1;\n"])
        let page = try text("index.html", of: assets)
        let names = page.matches(of: /"\/([\w.]+)"/).map { String($0.1) }
        #expect(names.count == 3)
        #expect(Set(names).union(["index.html", "icon.svg"]) == Set(assets.keys))
        #expect(try text("style.", of: assets) == "a{}\nb{}\n")
        let changed = try self.assets(["app.js": "2;\n"])
        #expect(Set(changed.keys).subtracting(assets.keys).count == 1)
        #expect(changed["index.html"]?.tag != assets["index.html"]?.tag)
    }

    @Test(arguments: [
        ["app.js": "import other from \"./b.js\";\n"], ["app.js": "export default 1;\n"], ["app.js": "export { a };\n"],
        ["app.js": "import { a } from \"./missing.js\";\n"],
        ["app.js": "import { a } from \"./b.js\";\n", "b.js": "import { c } from \"./app.js\";\n"],
    ]) func whatCannotBeJoinedIsRefused(modules: [String: String]) {
        #expect(throws: PageBundle.Refusal.self) { try assets(modules) }
    }

    @Test func thePageItselfCanBeJoinedAndHasEveryFile() throws {
        #expect(try PageAssets.made().count == 5)
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let web = tests.appending(path: "../../Sources/TrafficInspector/Web")
        let served = try FileManager.default.contentsOfDirectory(atPath: web.path).filter {
            ["js", "css", "html", "svg"].contains(($0 as NSString).pathExtension)
        }
        #expect(Set(PageAssets.sources.keys) == Set(served))
        for name in served {
            let text = try String(contentsOf: web.appending(path: name), encoding: .utf8)
            #expect(PageAssets.sources[name] == text, "\(name)")
        }
    }
}
