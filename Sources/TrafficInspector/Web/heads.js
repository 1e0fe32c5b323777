// Headers as they went over the wire, with redacted values marked; query items and cookies one by one.
import { fill, h } from "./dom.js";
import { bytes, exactBytes, number } from "./format.js";
import { t } from "./messages.js";
import { byRepeats } from "./repeats.js";
import { wasSent } from "./sizes.js";

const redaction = /\[redacted \d+ B\]|\(redacted-\d+-B\)/g;

/**
 * Whether a text has a redacted value. Unlike `test`, `search` leaves no position in the expression, where the next text would begin.
 * @param {string} text
 */
const isRedacted = (text) => text.search(redaction) >= 0;

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
  // What replaces a value in the store says nothing about the value.
  return lines.map((line, index) => ({ line, bytes: lineBytes(line), again: isRedacted(line) ? null : again?.[index] ?? null }));
}

/**
 * One head. Its lines keep their elements when their order changes, or when it is known how often they were sent again.
 * @param {string} title
 * @param {string} startLine
 * @param {string[]} lines
 */
function head(title, startLine, lines) {
  const elements = lines.map((line) => {
    const colon = line.indexOf(":", 1);
    const text = colon < 0 ? marked(line)
      : [h("span", { class: "raw-name" }, line.slice(0, colon + 1)), ...marked(line.slice(colon + 1))];
    const again = h("span", { class: "raw-again" });
    return { again, line: h("div", { class: "raw-line" }, h("span", {}, text), again, h("span", { class: "raw-size" }, exactBytes(lineBytes(line)))) };
  });
  const start = h("div", { class: "raw-start" }, marked(startLine));
  const raw = h("div", { class: "raw", tabindex: 0, role: "group", "aria-label": title }, start);
  return {
    element: h("section", { class: "head-block" }, h("h3", {}, title), raw),
    /**
     * @param {ReturnType<typeof weighed>} all
     * @param {number} calls how many other calls were compared
     */
    show(all, calls) {
      all.forEach(({ again }, index) => {
        const cell = elements[index].again;
        cell.textContent = again ? `${number(again)}×` : "";
        if (again !== null) cell.title = t("heads.again.line", { n: number(again), of: number(calls) });
      });
      const sorted = order === "size" ? bySize(all) : order === "again" ? byRepeats(all) : all;
      const next = [start, ...sorted.map((line) => elements[all.indexOf(line)].line)];
      if (next.some((line, index) => raw.children[index] !== line)) fill(raw, next);
    },
  };
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
 */
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
  const isCompressed = /^[23]/.test(response?.httpVersion ?? exchange.httpVersion ?? "");
  /** @type {import("./repeats.js").Repeats | null} */
  let repeats = null;
  const compared = h("span", { class: "quiet heads-again" });
  const requestHead = wasSent(request) || response ? head(t("heads.request"), start, sent) : null;
  const responseHead = response
    ? head(t("heads.response"), `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ""}`.trim(), received) : null;
  const choice = h("div", { class: "segments", role: "group", "aria-label": t("heads.order") },
    orders.map((name) => h("button", {
      type: "button", "data-order": name, click: () => {
        order = name;
        localStorage.setItem("wireweight.headers", name);
        show();
      },
    }, t(`heads.order.${name}`))));

  function show() {
    for (const button of choice.children) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.order === order));
    const calls = repeats?.calls ?? 0;
    const [requestLines, responseLines] = [weighed(sent, repeats?.request), weighed(received, repeats?.response)];
    requestHead?.show(requestLines, calls);
    responseHead?.show(responseLines, calls);
    const repeated = [...requestLines, ...responseLines].reduce((sum, line) => sum + line.bytes * (line.again ?? 0), 0);
    fill(compared, repeats && (calls === 0 ? t("heads.again.none")
      : t(repeats.isAll ? "heads.again" : "heads.again.newest", { n: number(calls) }) +
        (isCompressed ? "" : ` ${t("heads.again.weight", { n: bytes(repeated) })}`)));
  }

  show();
  const element = h("div", { class: "heads" },
    h("div", { class: "heads-bar" }, choice, compared, isCompressed && h("span", { class: "quiet" }, t("heads.compressed"))),
    h("div", { class: "both-sides" },
      requestHead?.element ?? h("p", { class: "quiet" }, t("heads.nothing")),
      responseHead?.element ?? h("p", { class: "quiet" }, t("heads.none"))),
    isRedacted(all) && h("p", { class: "quiet" }, t("heads.redacted")),
    pairs(t("heads.query"), queryItems(exchange.query), [name, value]),
    pairs(t("heads.cookies.sent"), cookiesSent(sent), [name, value]),
    pairs(t("heads.cookies.set"), cookiesSet(received), [name, value, t("heads.attributes")]));
  return {
    element,
    /** @param {import("./repeats.js").Repeats} found */
    know(found) {
      repeats = found;
      show();
    },
  };
}
