// Two requests beside each other: what each part weighs, each header, and where the time went.
import { get } from "./api.js";
import { delta } from "./delta.js";
import { fill, h } from "./dom.js";
import { bytes, clock, duration, exactBytes, number } from "./format.js";
import { lineBytes, marked } from "./heads.js";
import { named, t } from "./messages.js";
import { hashOf, place } from "./place.js";
import { apart, partName, parts } from "./sizes.js";

/** @typedef {import("./types.d.ts").Detail} Detail */
/** @typedef {{ name: string, a: string[], b: string[], bytesA: number, bytesB: number, same: boolean }} HeaderPair */

/**
 * The headers of two messages by name, in the order of the first, then those that only the second has.
 * @param {string[]} first
 * @param {string[]} second
 * @returns {HeaderPair[]}
 */
export function pairHeaders(first, second) {
  /** @type {Map<string, HeaderPair>} */
  const pairs = new Map();
  for (const [side, lines] of /** @type {const} */ ([["a", first], ["b", second]])) {
    for (const line of lines) {
      const colon = line.indexOf(":", 1);
      const name = colon < 0 ? line : line.slice(0, colon);
      const key = name.toLowerCase();
      const pair = pairs.get(key) ?? { name, a: [], b: [], bytesA: 0, bytesB: 0, same: false };
      pair[side].push(colon < 0 ? "" : line.slice(colon + 1).trim());
      pair[side === "a" ? "bytesA" : "bytesB"] += lineBytes(line);
      pairs.set(key, pair);
    }
  }
  for (const pair of pairs.values()) pair.same = pair.a.join("\n") === pair.b.join("\n") && pair.bytesA === pair.bytesB;
  return [...pairs.values()];
}

/**
 * A change of bytes or of time, signed.
 * @param {number | null | undefined} before
 * @param {number | null | undefined} after
 * @param {(value: number) => string} text
 */
function change(before, after, text) {
  if (before === null || before === undefined || after === null || after === undefined) return h("td", {}, "–");
  return h("td", {}, delta(after - before, text));
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 * @param {string} [name]
 */
function table(title, rows, name = "pair-table") {
  return rows.length > 0 && h("section", { class: "pair-part" }, h("h2", {}, title),
    h("table", { class: `table ${name}` },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "t-name" }, ""),
        ["pair.a", "pair.b", "compare.change"].map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, rows)));
}

/**
 * @param {string} title
 * @param {import("./types.d.ts").Message | null} a
 * @param {import("./types.d.ts").Message | null} b
 */
function sizeRows(title, a, b) {
  if (!a && !b) return false;
  const [first, second] = [a && apart(a), b && apart(b)];
  const rows = parts.filter((part) => (first?.[part] ?? 0) !== 0 || (second?.[part] ?? 0) !== 0).map((part) =>
    h("tr", {}, h("th", { scope: "row", class: "t-name" }, h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), partName(part)),
      h("td", {}, first ? exactBytes(first[part]) : "–"), h("td", {}, second ? exactBytes(second[part]) : "–"),
      change(first?.[part], second?.[part], bytes)));
  rows.push(h("tr", { class: "pair-total" }, h("th", { scope: "row", class: "t-name" }, t("part.total")),
    h("td", {}, a ? exactBytes(a.total) : "–"), h("td", {}, b ? exactBytes(b.total) : "–"), change(a?.total, b?.total, bytes)));
  return table(title, rows);
}

/**
 * @param {string} title
 * @param {string[] | undefined} first
 * @param {string[] | undefined} second
 * @param {boolean} showsSame
 */
function headerRows(title, first, second, showsSame) {
  const pairs = pairHeaders(first ?? [], second ?? []).filter((pair) => showsSame || !pair.same);
  /** @param {string[]} values */
  const cell = (values) => h("td", { class: "pair-value" }, values.length === 0 ? "–"
    : values.map((value) => h("div", {}, marked(value))));
  return table(title, pairs.map((pair) => h("tr", { class: pair.same ? "pair-same" : "" },
    h("th", { scope: "row", class: "t-name" }, pair.name), cell(pair.a), cell(pair.b), change(pair.bytesA, pair.bytesB, exactBytes))),
  "pair-table pair-headers");
}

/**
 * @param {import("./types.d.ts").Row} a
 * @param {import("./types.d.ts").Row} b
 */
function timeRows(a, b) {
  const names = [...new Set([...a.phases, ...b.phases].map(([name]) => name))];
  /**
   * @param {import("./types.d.ts").Row} row
   * @param {string} name
   */
  const time = (row, name) => row.phases.find(([phase]) => phase === name)?.[2] ?? null;
  const rows = names.map((name) => h("tr", {}, h("th", { scope: "row", class: "t-name" },
    h("i", { class: `swatch ph-${name}`, "aria-hidden": "true" }), named("phase", name)),
  h("td", {}, duration(time(a, name))), h("td", {}, duration(time(b, name))), change(time(a, name), time(b, name), duration)));
  rows.push(h("tr", { class: "pair-total" }, h("th", { scope: "row", class: "t-name" }, t("column.duration")),
    h("td", {}, duration(a.duration)), h("td", {}, duration(b.duration)), change(a.duration, b.duration, duration)));
  return table(t("pair.time"), rows);
}

/** @param {Detail} detail */
function subject({ exchange, row }) {
  return h("td", {}, h("a", { href: hashOf({ ...place(), page: "list", comparison: undefined, id: row.id }) }, `#${row.id}`), " ",
    h("b", { class: "c-method" }, exchange.method), " ", h("span", { class: "pair-url" }, marked(exchange.url)),
    h("small", {}, `${clock(row.start, true)} · ${exchange.response ? exchange.response.status : t("pair.unanswered")}`));
}

/**
 * Shows two requests.
 * @param {HTMLElement} element
 * @param {number} a
 * @param {number} b
 * @param {() => boolean} isCurrent
 */
export async function showPair(element, a, b, isCurrent) {
  /** @type {Detail[]} */
  const [first, second] = await Promise.all([a, b].map((id) => get(`exchanges/${id}`)));
  if (!isCurrent()) return;
  let showsSame = false;
  const [one, other] = [first.exchange, second.exchange];
  const headers = [[one.request, other.request], [one.response, other.response]].flatMap(([x, y]) =>
    pairHeaders(x?.fieldLines ?? [], y?.fieldLines ?? []));
  const same = headers.filter((pair) => pair.same).length;
  const draw = () => {
    fill(element,
      h("table", { class: "table pair-table pair-subjects" }, h("tbody", {},
        h("tr", {}, h("th", { scope: "row", class: "t-name" }, t("pair.a")), subject(first)),
        h("tr", {}, h("th", { scope: "row", class: "t-name" }, t("pair.b")), subject(second)))),
      h("p", {}, h("a", { href: hashOf({ ...place(), comparison: { a: String(b), b: String(a) } }) }, t("pair.swap"))),
      sizeRows(t("pair.request"), one.request, other.request),
      sizeRows(t("pair.response"), one.response, other.response),
      timeRows(first.row, second.row),
      headerRows(t("pair.request.headers"), one.request.fieldLines, other.request.fieldLines, showsSame),
      headerRows(t("pair.response.headers"), one.response?.fieldLines, other.response?.fieldLines, showsSame),
      same > 0 && h("p", { class: "compare-same" }, h("button", {
        type: "button", "aria-expanded": String(showsSame), click: () => {
          showsSame = !showsSame;
          draw();
          /** @type {HTMLElement | null} */ (element.querySelector(".compare-same button"))?.focus();
        },
      }, showsSame ? t("pair.fold") : t("pair.unfold", { n: number(same) }))));
  };
  draw();
}
