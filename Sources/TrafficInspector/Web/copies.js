// One request as code and text to paste elsewhere, with its body if all of it was kept; if not, each form says so.

/** @typedef {{ method: string, url: string, lines: string[], body: number, kept: Uint8Array | null }} Call */

/** Header lines that the client makes itself. */
const made = /^(host|content-length|transfer-encoding|connection|accept-encoding|expect|:.*)$/i;

/**
 * The request of an exchange.
 * @param {import("./types.d.ts").Exchange} exchange
 * @param {Uint8Array | null} [kept] its body, if all of it was kept
 * @returns {Call}
 */
export function callOf({ method, url, request }, kept = null) {
  return { method, url, lines: request.fieldLines ?? [], body: request.body ?? 0, kept };
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
function note({ body, kept }, comment) {
  return body > 0 && !kept ? [`${comment} The request had a body of ${body} bytes, which is not included.`] : [];
}

/**
 * A body as a text of UTF-8, or in base64 if it is none; null without one.
 * @param {Call} call
 * @returns {{ text: string, isText: boolean } | null}
 */
function content({ kept }) {
  if (!kept) return null;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(kept), isText: true };
  } catch {
    let letters = "";
    for (let at = 0; at < kept.length; at += 0x8000) letters += String.fromCharCode(...kept.subarray(at, at + 0x8000));
    return { text: btoa(letters), isText: false };
  }
}

/** @param {Call} call */
export function asFetch(call) {
  const fields = fieldsOf(call).map(([name, value]) => `    [${quoted(name)}, ${quoted(value)}],`);
  const body = content(call);
  return [...note(call, "//"), `const response = await fetch(${quoted(call.url)}, {`, `  method: ${quoted(call.method)},`,
    ...(fields.length > 0 ? ["  headers: [", ...fields, "  ],"] : []),
    ...(body ? [`  body: ${body.isText ? quoted(body.text) : `Uint8Array.from(atob("${body.text}"), (letter) => letter.charCodeAt(0))`},`] : []),
    "});"].join("\n");
}

/** @param {Call} call */
export function asPython(call) {
  const fields = fieldsOf(call).map(([name, value]) => `request.add_header(${quoted(name)}, ${quoted(value)})`);
  const body = content(call);
  const data = body ? `, data=${body.isText ? `${quoted(body.text)}.encode()` : `base64.b64decode("${body.text}")`}` : "";
  return [...note(call, "#"), ...(body && !body.isText ? ["import base64"] : []), "import urllib.request", "",
    `request = urllib.request.Request(${quoted(call.url)}, method=${quoted(call.method)}${data})`, ...fields,
    "with urllib.request.urlopen(request) as response:", "    print(response.status, response.read())"].join("\n");
}

/** @param {Call} call */
export function asSwift(call) {
  const fields = fieldsOf(call).map(([name, value]) => `request.addValue(${swift(value)}, forHTTPHeaderField: ${swift(name)})`);
  const body = content(call);
  return [...note(call, "//"), "import Foundation", "",
    `var request = URLRequest(url: URL(string: ${swift(call.url)})!)`, `request.httpMethod = ${swift(call.method)}`, ...fields,
    ...(body ? [`request.httpBody = ${body.isText ? `Data(${swift(body.text)}.utf8)` : `Data(base64Encoded: "${body.text}")`}`] : []),
    "let (data, response) = try await URLSession.shared.data(for: request)"].join("\n");
}

/**
 * A curl command as one that `wireweight run` meters; its comments and what feeds it stay before it.
 * @param {string} curl
 */
export function asRun(curl) {
  return curl.replace(/^((?:#.*\n)*(?:echo '[\w+/=]*' \| base64 -d \| )?)curl /, "$1wireweight run -- curl ");
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
