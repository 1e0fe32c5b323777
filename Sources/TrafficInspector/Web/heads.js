// Headers as they went over the wire, with redacted values marked; query items and cookies one by one.
import { h } from "./dom.js";
import { bytes, exactBytes, number } from "./format.js";
import { t } from "./messages.js";
import { byRepeats } from "./repeats.js";
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
 * @template {{ bytes: number }} Line
 * @param {Line[]} lines
 */
export function bySize(lines) {
  return [...lines].sort((one, other) => other.bytes - one.bytes);
}

/** The order of the lines: as they were sent, by size, or by how often they were sent again. */
const orders = ["sent", "size", "again"];
let order = orders.find((name) => name === localStorage.getItem("wireweight.headers")) ?? "sent";

/**
 * The lines with their bytes, and in how many other calls they were the same; null where that is not known.
 * @param {string[]} lines
 * @param {number[] | undefined} again
 */
export function weighed(lines, again) {
  return lines.map((line, index) => {
    redaction.lastIndex = 0;
    // What replaces a value in the store says nothing about the value.
    return { line, bytes: lineBytes(line), again: redaction.test(line) ? null : again?.[index] ?? null };
  });
}

/**
 * @param {string} title
 * @param {string} startLine
 * @param {ReturnType<typeof weighed>} lines
 * @param {number} calls how many other calls were compared
 */
function head(title, startLine, lines, calls) {
  const shown = order === "size" ? bySize(lines) : order === "again" ? byRepeats(lines) : lines;
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("div", { class: "raw", tabindex: 0, role: "group", "aria-label": title },
      h("div", { class: "raw-start" }, marked(startLine)),
      shown.map(({ line, bytes: size, again }) => {
        const colon = line.indexOf(":", 1);
        const text = colon < 0 ? marked(line)
          : [h("span", { class: "raw-name" }, line.slice(0, colon + 1)), ...marked(line.slice(colon + 1))];
        return h("div", { class: "raw-line" }, h("span", {}, text),
          h("span", { class: "raw-again", title: again === null ? null : t("heads.again.line", { n: number(again), of: number(calls) }) },
            again ? `${number(again)}×` : ""),
          h("span", { class: "raw-size" }, exactBytes(size)));
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
 * @param {import("./repeats.js").Repeats | null} repeats if they are known
 * @param {() => void} draw draws them again
 */
export function heads(exchange, repeats, draw) {
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
  const calls = repeats?.calls ?? 0;
  const [requestLines, responseLines] = [weighed(sent, repeats?.request), weighed(received, repeats?.response)];
  const repeated = [...requestLines, ...responseLines].reduce((sum, line) => sum + line.bytes * (line.again ?? 0), 0);
  const choice = h("div", { class: "segments", role: "group", "aria-label": t("heads.order") },
    orders.map((name) => h("button", {
      type: "button", "data-order": name, "aria-pressed": String(name === order), click: () => {
        order = name;
        localStorage.setItem("wireweight.headers", name);
        draw();
      },
    }, t(`heads.order.${name}`))));
  const compared = repeats && (calls === 0 ? t("heads.again.none")
    : t(repeats.isAll ? "heads.again" : "heads.again.newest", { n: number(calls) }) +
      (isCompressed ? "" : ` ${t("heads.again.weight", { n: bytes(repeated) })}`));
  return h("div", { class: "heads" },
    h("div", { class: "heads-bar" }, choice, h("span", { class: "quiet heads-again" }, compared), isCompressed && h("span", { class: "quiet" }, t("heads.compressed"))),
    h("div", { class: "both-sides" },
      wasSent(request) || response ? head(t("heads.request"), start, requestLines, calls) : h("p", { class: "quiet" }, t("heads.nothing")),
      response
        ? head(t("heads.response"), `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ""}`.trim(), responseLines, calls)
        : h("p", { class: "quiet" }, t("heads.none"))),
    redaction.test(all) && h("p", { class: "quiet" }, t("heads.redacted")),
    pairs(t("heads.query"), queryItems(exchange.query), [name, value]),
    pairs(t("heads.cookies.sent"), cookiesSent(sent), [name, value]),
    pairs(t("heads.cookies.set"), cookiesSet(received), [name, value, t("heads.attributes")]));
}
