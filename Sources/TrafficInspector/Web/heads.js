// Headers as they went over the wire, with redacted values marked; query items and cookies one by one.
import { h } from "./dom.js";
import { exactBytes } from "./format.js";
import { t } from "./messages.js";
import { wasSent } from "./sizes.js";

const redaction = /\[redacted \d+ B\]|\(redacted-\d+-B\)/g;

/**
 * A text with redacted values marked.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function marked(text) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(redaction)) {
    pieces.push(text.slice(end, match.index), h("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

/**
 * The bytes of a header line with its line end; a redacted value counts as it was sent.
 * @param {string} line
 */
export function lineBytes(line) {
  let replaced = 0;
  const rest = line.replace(redaction, (text) => {
    replaced += Number(/\d+/.exec(text)?.[0]);
    return "";
  });
  return new TextEncoder().encode(rest).length + replaced + 2;
}

/**
 * The lines with the largest first; equal ones stay in the order in which they were sent.
 * @param {string[]} lines
 */
export function bySize(lines) {
  return [...lines].sort((one, other) => lineBytes(other) - lineBytes(one));
}

/** Whether the lines are in the order of their sizes, not in that in which they were sent. */
let sorted = localStorage.getItem("wireweight.headers") === "size";

/**
 * @param {string} title
 * @param {string} startLine
 * @param {string[]} lines
 */
function head(title, startLine, lines) {
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("div", { class: "raw", tabindex: 0, role: "group", "aria-label": title },
      h("div", { class: "raw-start" }, marked(startLine)),
      (sorted ? bySize(lines) : lines).map((line) => {
        const colon = line.indexOf(":", 1);
        const text = colon < 0 ? marked(line)
          : [h("span", { class: "raw-name" }, line.slice(0, colon + 1)), ...marked(line.slice(colon + 1))];
        return h("div", { class: "raw-line" }, h("span", {}, text), h("span", { class: "raw-size" }, exactBytes(lineBytes(line))));
      })));
}

/**
 * @param {string} title
 * @param {string[][]} rows
 * @param {string[]} names
 */
function pairs(title, rows, names) {
  if (rows.length === 0) return null;
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("table", { class: "pairs" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((row) =>
        h("tr", {}, row.map((value, index) =>
          index === 0 ? h("th", { scope: "row" }, marked(value)) : h("td", {}, marked(value))))))));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/**
 * The items of a query, in order; names may repeat.
 * @param {string | null} query
 */
export function queryItems(query) {
  if (!query) return [];
  return query.split("&").filter((item) => item !== "").map((item) => {
    const equals = item.indexOf("=");
    return equals < 0 ? [decoded(item), ""] : [decoded(item.slice(0, equals)), decoded(item.slice(equals + 1))];
  });
}

/**
 * The values of the lines of one name.
 * @param {string[]} lines
 * @param {string} name in lower case
 */
function values(lines, name) {
  return lines.filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

/** @param {string} pair */
function split(pair) {
  const equals = pair.indexOf("=");
  return equals < 0 ? ["", pair.trim()] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

/** @param {string[]} lines */
export function cookiesSent(lines) {
  return values(lines, "cookie").flatMap((value) => value.split(";").map(split));
}

/** @param {string[]} lines */
export function cookiesSet(lines) {
  return values(lines, "set-cookie").map((value) => {
    const [pair, ...attributes] = value.split(";");
    return [...split(pair), attributes.map((attribute) => attribute.trim()).join("; ")];
  });
}

/**
 * @param {import("./types.d.ts").Exchange} exchange
 * @param {() => void} draw draws them again
 */
export function heads(exchange, draw) {
  const { request, response } = exchange;
  const sent = request.fieldLines ?? [];
  const received = response?.fieldLines ?? [];
  const target = exchange.path + (exchange.query === null ? "" : `?${exchange.query}`);
  const start = `${exchange.method} ${target}${exchange.httpVersion ? ` HTTP/${exchange.httpVersion}` : ""}`;
  const all = [...sent, ...received, target].join("\n");
  redaction.lastIndex = 0;
  const name = t("heads.name");
  const value = t("heads.value");
  const isCompressed = /^[23]/.test(response?.httpVersion ?? exchange.httpVersion ?? "");
  const orders = h("div", { class: "segments", role: "group", "aria-label": t("heads.order") },
    ["sent", "size"].map((order) => h("button", {
      type: "button", "data-order": order, "aria-pressed": String(sorted === (order === "size")), click: () => {
        sorted = order === "size";
        localStorage.setItem("wireweight.headers", order);
        draw();
      },
    }, t(`heads.order.${order}`))));
  return h("div", { class: "heads" },
    h("div", { class: "heads-bar" }, orders, isCompressed && h("span", { class: "quiet" }, t("heads.compressed"))),
    wasSent(request) || response ? head(t("heads.request"), start, sent) : h("p", { class: "quiet" }, t("heads.nothing")),
    response
      ? head(t("heads.response"), `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ""}`.trim(), received)
      : h("p", { class: "quiet" }, t("heads.none")),
    redaction.test(all) && h("p", { class: "quiet" }, t("heads.redacted")),
    pairs(t("heads.query"), queryItems(exchange.query), [name, value]),
    pairs(t("heads.cookies.sent"), cookiesSent(sent), [name, value]),
    pairs(t("heads.cookies.set"), cookiesSet(received), [name, value, t("heads.attributes")]));
}
