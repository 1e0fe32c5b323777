import assert from "node:assert/strict";
import { test } from "node:test";

const { indentCSS, indentMarkup } = await import("../../Sources/TrafficInspector/Web/indent.js");

test("XML gets a line for each element, and its texts stay", () => {
  const text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "x>">]><a><b k="1 > 0" l=\'"\'/><c>one <i>two</i>\n three</c><!-- <d> --><e></e><f> </f>'
    + "<g><![CDATA[<h>]]></g>\n\n<k><l/></k></a>\n";
  const lines = indentMarkup(text);
  assert.equal(lines, `<?xml version="1.0"?>
<!DOCTYPE a [<!ENTITY e "x>">]>
<a>
  <b k="1 > 0" l='"'/>
  <c>one <i>two</i>
 three</c>
  <!-- <d> -->
  <e></e>
  <f> </f>
  <g><![CDATA[<h>]]></g>
  <k>
    <l/>
  </k>
</a>`);
  assert.equal(indentMarkup(lines), lines);
});

test("XML that is cut off or wrong stays in its order", () => {
  assert.equal(indentMarkup('<a><b>text</b><c d="1'), '<a>\n<b>text</b>\n<c d="1');
  assert.equal(indentMarkup("<a></b><c><d></c></a>"), "<a>\n  </b>\n  <c>\n    <d>\n  </c>\n</a>");
  assert.equal(indentMarkup("1 < 2 & <a>3 < 4</a>"), "1 < 2 &\n<a>3 < 4</a>");
  for (const text of ["", "<", "</", "<!", "<!-", "<![CDATA[", "<?", "<a", "text", "<constructor></toString>"]) {
    assert.equal(indentMarkup(text).replace(/\s/g, ""), text.replace(/\s/g, ""), text);
  }
});

test("HTML has elements without an end, and scripts", () => {
  const text = '<!doctype html><HTML><head><meta charset=utf-8><script>if (a < b) "</a>";</script></head><body><ul><li>one<li>two</ul>'
    + "<br><pre>\n a\n</pre><div><div><img src=x></div></div></body></html>";
  assert.equal(indentMarkup(text, true), `<!doctype html>
<HTML>
  <head>
    <meta charset=utf-8>
    <script>if (a < b) "</a>";</script>
  </head>
  <body>
    <ul>one<li>two</ul>
    <br>
    <pre>
 a
</pre>
    <div>
      <div>
        <img src=x>
      </div>
    </div>
  </body>
</html>`.replace("<ul>one", "<ul><li>one"));
});

test("a text of tags without end takes time and room of its length", () => {
  const of = (/** @type {string} */ piece, count = 100_000) => piece.repeat(count);
  for (const text of [of("<a>") + of("</b>"), of("<a>", 50_000) + of("</a>", 50_000), of("<"), of('<a b="'), of("<script>"), of("<![CDATA["), of("<!DOCTYPE [")]) {
    for (const isHTML of [false, true]) assert.ok(indentMarkup(text, isHTML).length <= text.length * 15);
  }
  for (const text of [of("{"), of('"'), of("/*"), of("url("), of("a:b;"), of("\\")]) assert.ok(indentCSS(text).length <= text.length * 42);
});

test("CSS gets a line for each declaration, and its strings stay", () => {
  const text = '@media (min-width:1px){a::before,b{content:"}  {;";background:url(data:x;y{z)}/* one; */}c{d:e;/* two */f:g /* three */ h}';
  const lines = indentCSS(text);
  assert.equal(lines, `@media (min-width:1px){
  a::before,b{
    content:"}  {;";
    background:url(data:x;y{z)
  }
  /* one; */
}
c{
  d:e;
  /* two */
  f:g /* three */ h
}`);
  assert.equal(indentCSS(lines), lines);
  assert.equal(indentCSS('a{b:c}}d{content:"cut'), 'a{\n  b:c\n}\n}\nd{\n  content:"cut');
});
