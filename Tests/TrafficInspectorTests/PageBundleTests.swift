import Foundation
import Testing

@testable import TrafficInspector

/// The page's modules become one script.
struct PageBundleTests {
    private static let page = """
        <link rel="stylesheet" href="/base.css">
        <link rel="stylesheet" href="/list.css">
        <script src="/start.js"></script>
        <script type="module" src="/app.js"></script>

        """

    private func assets(_ modules: [String: String]) throws -> [String: PageAsset] {
        let others = [
            "index.html": Self.page, "base.css": "a{}\n", "list.css": "b{}\n", "start.js": "1;\n", "icon.svg": "<svg/>",
        ]
        return try PageBundle(others.merging(modules) { $1 }).assets()
    }

    private func text(_ prefix: String, of assets: [String: PageAsset]) throws -> String {
        String(decoding: try #require(assets.first { $0.key.hasPrefix(prefix) }?.value).bytes, as: UTF8.self)
    }

    /// The connection that brought the page takes the first request of it, and the largest file is what rows wait for.
    @Test func thePageRequestsItsScriptsBeforeItsStyleSheet() throws {
        let page = String(decoding: try #require(PageAssets.all["index.html"]).bytes, as: UTF8.self)
        let places = try ["\"/app.", "\"/start.", "\"/style."].map { try #require(page.firstRange(of: $0)).lowerBound }
        #expect(places == places.sorted())
    }

    @Test func textsAreReplacedByTheirBytes() {
        #expect("a-b--b-".putting("é", for: "-b") == "aé-é-")
        #expect("aab".putting("", for: "ab") == "a")
        #expect("é".putting("x", for: "y") == "é" && "".putting("x", for: "y") == "")
        #expect("aab".has("ab") && !"aab".has("ba") && "ab".dropFirst().has("b") && !"ab".dropFirst().has("ab"))
        #expect("a\n\nb\n".lines == ["a", "", "b", ""])
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

    @Test func whatIsImportedLaterIsAScriptThatTakesWhatItShares() throws {
        let modules = [
            "app.js": """
            import { a } from "./b.js";
            export async function f() {
              return (await import("./late.js")).c(a);
            }

            """,
            "b.js": "export const a = 1;\n", "start.js": "preload(\"/late.js\");\n",
            "late.js": """
            import { a } from "./b.js";
            import { d } from "./only-late.js";
            export const c = () => a + d;

            """, "only-late.js": "export const d = 2;\n",
        ]
        let assets = try assets(modules)
        let name = try #require(assets.keys.first { $0.hasPrefix("late.") })
        #expect(
            try text("late.", of: assets) == """
                export default ({ $b }) => {
                const $only_late = (() => {
                const d = 2;
                return { d };
                })();
                const $late = (() => {
                const { a } = $b;
                const { d } = $only_late;
                const c = () => a + d;
                return { c };
                })();
                return $late;
                };

                """)
        #expect(try text("start.", of: assets) == "preload(\"/\(name)\");\n")
        let first = try text("app.", of: assets)
        #expect(first.contains("await import(\"/\(name)\").then((later) => later.default({ $b })))"))
        #expect(!first.contains("only_late"))
        #expect(assets[name]?.tag == nil)
        // Another version of what comes later is another version of the first script, which has another name.
        let changed = try self.assets(modules.merging(["only-late.js": "export const d = 3;\n"]) { $1 })
        #expect(changed.keys.filter { $0.hasPrefix("app.") } != assets.keys.filter { $0.hasPrefix("app.") })
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

    @Test func aFontIsServedUnderANameThatItsStyleSheetHas() throws {
        let files = [
            "index.html": Self.page, "base.css": "@font-face { src: url(\"/text.woff2\") }\n", "list.css": "",
            "start.js": "1;\n", "icon.svg": "<svg/>", "app.js": "1;\n",
        ]
        func named(_ bytes: [UInt8]) throws -> String {
            let assets = try PageBundle(files, fonts: ["text.woff2": bytes]).assets()
            let name = try #require(assets.keys.first { $0.hasSuffix(".woff2") })
            #expect(try text("style.", of: assets) == "@font-face { src: url(\"/\(name)\") }\n")
            #expect(assets[name]?.bytes == bytes && assets[name]?.gzipped == nil && assets[name]?.tag == nil)
            return name
        }
        #expect(try named([1, 2, 255]) != named([1, 2, 254]))
        #expect(throws: PageBundle.Refusal.self) { try PageBundle(files, fonts: ["other.woff2": [1]]).assets() }
    }

    @Test func theFontsAreAtMost80KBAndAllAreServed() throws {
        #expect(PageAssets.fonts.count == 3)
        #expect(PageAssets.fonts.values.reduce(0) { $0 + $1.count } < 80_000)
        #expect(try PageAssets.made().keys.count { $0.hasSuffix(".woff2") } == 3)
    }

    @Test func thePageNamesTheFilesByWhatTheyHold() throws {
        let assets = try assets(["app.js": "1;\n"])
        let page = try text("index.html", of: assets)
        let names = page.matches(of: /"\/([\w.]+)"/).map { String($0.1) }
        #expect(names.count == 3)
        let icon = try #require(assets.keys.first { $0.hasPrefix("icon.") && $0 != "icon.svg" })
        #expect(Set(names).union(["index.html", "icon.svg", icon]) == Set(assets.keys))
        #expect(try text("style.", of: assets) == "a{}\nb{}\n")
        let changed = try self.assets(["app.js": "2;\n"])
        #expect(Set(changed.keys).subtracting(assets.keys).count == 1)
        #expect(changed["index.html"]?.tag != assets["index.html"]?.tag)
    }

    @Test(arguments: [
        ["app.js": "import other from \"./b.js\";\n"], ["app.js": "export default 1;\n"], ["app.js": "export { a };\n"],
        ["app.js": "import { a } from \"./missing.js\";\n"],
        ["app.js": "import { a } from \"./b.js\";\n", "b.js": "import { c } from \"./app.js\";\n"],
        ["app.js": "import { a } from \"./b.js\";\nvoid import(\"./b.js\");\n", "b.js": "export const a = 1;\n"],
        ["app.js": "void import(\"./b.js\");\n", "b.js": "void import(\"./c.js\");\n", "c.js": "1;\n"],
        [
            "app.js": "void import(\"./b.js\");\nvoid import(\"./c.js\");\n", "b.js": "import { d } from \"./d.js\";\n",
            "c.js": "import { d } from \"./d.js\";\n", "d.js": "export const d = 1;\n",
        ],
    ]) func whatCannotBeJoinedIsRefused(modules: [String: String]) {
        #expect(throws: PageBundle.Refusal.self) { try assets(modules) }
    }

    @Test func thePageItselfCanBeJoinedAndHasEveryFile() throws {
        #expect(try PageAssets.made().count == 12)
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
