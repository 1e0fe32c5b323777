// One request as code and text to paste elsewhere. The kept body is not in it, which each form says.

/** @typedef {{ method: string, url: string, lines: string[], body: number }} Call */

/** Header lines that the client makes itself. */
const made = /^(host|content-length|transfer-encoding|connection|accept-encoding|:.*)$/i;

/**
 * The request of an exchange.
 * @param {import("./types.d.ts").Exchange} exchange
 * @returns {Call}
 */
export function callOf({ method, url, request }) {
  return { method, url, lines: request.fieldLines ?? [], body: request.body ?? 0 };
}

/**
 * The headers to set, in order.
 * @param {Call} call
 * @returns {[string, string][]}
 */
export function fieldsOf({ lines }) {
  return lines.flatMap((line) => {
    const colon = line.indexOf(":", 1);
    const name = line.slice(0, colon);
    return colon < 1 || made.test(name) ? [] : [/** @type {[string, string]} */ ([name, line.slice(colon + 1).trim()])];
  });
}

/**
 * A text in double quotes, for JavaScript and Python.
 * @param {string} text
 */
function quoted(text) {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * A text as a literal of Swift.
 * @param {string} text
 */
function swift(text) {
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`)}"`;
}

/**
 * @param {Call} call
 * @param {string} comment how the language begins one
 */
function note({ body }, comment) {
  return body > 0 ? [`${comment} The request had a body of ${body} bytes, which is not included.`] : [];
}

/** @param {Call} call */
export function asFetch(call) {
  const fields = fieldsOf(call).map(([name, value]) => `    [${quoted(name)}, ${quoted(value)}],`);
  return [...note(call, "//"), `const response = await fetch(${quoted(call.url)}, {`, `  method: ${quoted(call.method)},`,
    ...(fields.length > 0 ? ["  headers: [", ...fields, "  ],"] : []), "});"].join("\n");
}

/** @param {Call} call */
export function asPython(call) {
  const fields = fieldsOf(call).map(([name, value]) => `request.add_header(${quoted(name)}, ${quoted(value)})`);
  return [...note(call, "#"), "import urllib.request", "",
    `request = urllib.request.Request(${quoted(call.url)}, method=${quoted(call.method)})`, ...fields,
    "with urllib.request.urlopen(request) as response:", "    print(response.status, response.read())"].join("\n");
}

/** @param {Call} call */
export function asSwift(call) {
  const fields = fieldsOf(call).map(([name, value]) => `request.addValue(${swift(value)}, forHTTPHeaderField: ${swift(name)})`);
  return [...note(call, "//"), "import Foundation", "",
    `var request = URLRequest(url: URL(string: ${swift(call.url)})!)`, `request.httpMethod = ${swift(call.method)}`, ...fields,
    "let (data, response) = try await URLSession.shared.data(for: request)"].join("\n");
}

/**
 * A table in Markdown with these rows, and its titles.
 * @param {import("./types.d.ts").Row[]} rows
 */
export function asMarkdown(rows) {
  const cell = (/** @type {string | number | null} */ value) => String(value ?? "–").replace(/[|\\`<>*_[\]]/g, "\\$&").replace(/\s+/g, " ");
  return ["| Request | Status | Up (B) | Down (B) | Time (ms) |", "| --- | ---: | ---: | ---: | ---: |",
    ...rows.map((row) => `| ${[`${row.method} ${row.url}`, row.status, row.up, row.down, row.duration].map(cell).join(" | ")} |`)].join("\n");
}
