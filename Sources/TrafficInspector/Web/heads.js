// Headers as they went over the wire, with redacted values marked; query items and cookies one by one.
import { h } from "./dom.js";
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
 * @param {string} title
 * @param {string} startLine
 * @param {string[]} lines
 */
function head(title, startLine, lines) {
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("div", { class: "raw", tabindex: 0, role: "group", "aria-label": title },
      h("div", { class: "raw-start" }, marked(startLine)),
      lines.map((line) => {
        const colon = line.indexOf(":", 1);
        if (colon < 0) return h("div", {}, marked(line));
        return h("div", {}, h("span", { class: "raw-name" }, line.slice(0, colon + 1)), marked(line.slice(colon + 1)));
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

/** @param {import("./types.d.ts").Exchange} exchange */
export function heads(exchange) {
  const { request, response } = exchange;
  const sent = request.fieldLines ?? [];
  const received = response?.fieldLines ?? [];
  const target = exchange.path + (exchange.query === null ? "" : `?${exchange.query}`);
  const start = `${exchange.method} ${target}${exchange.httpVersion ? ` HTTP/${exchange.httpVersion}` : ""}`;
  const all = [...sent, ...received, target].join("\n");
  redaction.lastIndex = 0;
  const name = t("heads.name");
  const value = t("heads.value");
  return h("div", { class: "heads" },
    wasSent(request) || response ? head(t("heads.request"), start, sent) : h("p", { class: "quiet" }, t("heads.nothing")),
    response
      ? head(t("heads.response"), `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ""}`.trim(), received)
      : h("p", { class: "quiet" }, t("heads.none")),
    redaction.test(all) && h("p", { class: "quiet" }, t("heads.redacted")),
    pairs(t("heads.query"), queryItems(exchange.query), [name, value]),
    pairs(t("heads.cookies.sent"), cookiesSent(sent), [name, value]),
    pairs(t("heads.cookies.set"), cookiesSet(received), [name, value, t("heads.attributes")]));
}
