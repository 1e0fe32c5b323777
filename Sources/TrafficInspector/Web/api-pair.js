// Two APIs of one file beside each other: how often, what one call weighs and of which parts that is, and how long it takes.
import { get } from "./api.js";
import { delta } from "./delta.js";
import { directionOfSums, only } from "./directions.js";
import { fill, h } from "./dom.js";
import { apiName, bytes, duration, number, percent } from "./format.js";
import { named, t } from "./messages.js";
import { go, listAddress, place } from "./place.js";
import { apart, partName, parts } from "./sizes.js";

/** @typedef {import("./types.d.ts").Loose} Loose */
/** @typedef {import("./types.d.ts").API} API */

/**
 * The pair to show: the APIs that are named, and else the heaviest.
 * @param {string[]} names of all APIs, the heaviest first
 * @param {string | undefined} a
 * @param {string | undefined} b
 */
export function pairOf(names, a, b) {
  const first = a ?? names[0];
  return [first, b ?? names.find((name) => name !== first)];
}

/**
 * The bytes of a part in one call on average; null if there is none.
 * @param {Loose | null} api
 * @param {"up" | "down"} way
 * @param {import("./types.d.ts").Part} part
 */
function average(api, way, part) {
  const size = api ? apart(api.parts[way])[part] : null;
  return size === null || api?.requests === 0 ? null : Math.round(size / api?.requests);
}

/**
 * @param {import("./dom.js").Child[]} name
 * @param {[number | null | undefined, number | null | undefined]} values
 * @param {(value: number) => string} text
 * @param {{ finding?: string | null }} [judged]
 */
function row(name, [a, b], text, judged) {
  const known = (/** @type {number | null | undefined} */ value) => typeof value === "number" ? text(value) : "–";
  const finding = judged?.finding;
  return h("tr", {}, h("th", { scope: "row", class: "t-name" }, name), h("td", {}, known(a)), h("td", {}, known(b)),
    h("td", {}, typeof a === "number" && typeof b === "number" ? delta(b - a, text) : "–",
      finding && h("small", { class: ["slower", "heavier"].includes(finding) ? "bad" : "" }, named("compare", finding))));
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
function table(title, rows) {
  return rows.length > 0 && h("section", { class: "pair-part" }, h("h2", {}, title), h("table", { class: "table pair-table" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "t-name" }, ""),
      ["pair.a", "pair.b", "compare.change"].map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, rows)));
}

/** @param {Loose} answer */
function tables({ a, b, perCall, latency }) {
  /** @type {(pick: (api: Loose) => number | null | undefined) => [number | null | undefined, number | null | undefined]} */
  const both = (pick) => [a && pick(a), b && pick(b)];
  const ways = /** @type {const} */ (["up", "down"]);
  return [
    table(t("apiPair.all"), [
      row([t("apis.requests")], both((api) => api.requests), number),
      row([t("apis.failureRate")], both((api) => api.failureRate), percent),
      row([t("apis.up")], both((api) => api.up), bytes), row([t("apis.down")], both((api) => api.down), bytes),
      row([t("apis.total")], both((api) => api.up + api.down), bytes),
    ]),
    table(t("apiPair.call"), [
      ...ways.map((way) => row([t(`apis.${way}`)], both((api) => api.perCall[way].p50), bytes)),
      row([t("apis.total")], both((api) => api.perCall.total.p50), bytes, perCall),
      row([t("apis.callP95")], both((api) => api.perCall.total.p95), bytes),
      row([t("apis.callMax")], both((api) => api.perCall.total.max), bytes),
    ]),
    table(t("apiPair.parts"), ways.flatMap((way) => parts.filter((part) => average(a, way, part) || average(b, way, part)).map((part) =>
      row([h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), way === "up" ? "↑ " : "↓ ", partName(part)],
        [average(a, way, part), average(b, way, part)], bytes)))),
    table(t("pair.time"), ["p50", "p90", "p95", "p99"].map((share) =>
      row([share], both((api) => api.latency[share]), duration, share === "p50" ? latency : undefined))),
  ];
}

/**
 * Shows two APIs, which can be chosen above.
 * @param {HTMLElement} choices
 * @param {HTMLElement} element
 * @param {() => boolean} isCurrent
 */
export async function showAPIPair(choices, element, isCurrent) {
  const { since, until } = place().filters;
  const direction = directionOfSums();
  /** @type {API[]} */
  const apis = (await get("apis", { since, until, direction })).apis;
  if (!isCurrent()) return;
  const names = apis.map(apiName);
  const [a, b] = pairOf(names, place().comparison?.["api.a"], place().comparison?.["api.b"]);
  if (!a || !b) {
    fill(choices);
    return fill(element, h("p", { class: "empty" }, t("apiPair.few")));
  }
  /** @type {(first: string, second: string) => void} */
  const choose = (first, second) => go({ comparison: { "api.a": first, "api.b": second } });
  /**
   * @param {string} chosen
   * @param {string} label
   * @param {(name: string) => void} change
   */
  const choice = (chosen, label, change) => {
    const select = h("select", { "aria-label": label, "data-control": label === t("pair.a") ? "a" : "b", change: () => change(select.value) },
      (names.includes(chosen) ? names : [chosen, ...names]).map((name) => h("option", { value: name, selected: name === chosen }, name)));
    return h("label", {}, label, " ", select);
  };
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.control : undefined;
  fill(choices, choice(a, t("pair.a"), (name) => choose(name, b)), choice(b, t("pair.b"), (name) => choose(a, name)),
    h("button", { type: "button", class: "button", "data-control": "swap", click: () => choose(b, a) }, t("pair.swap")));
  if (focused) /** @type {HTMLElement | null} */ (choices.querySelector(`[data-control="${focused}"]`))?.focus();
  const answer = await get("compare", { "api.a": a, "api.b": b, since, until, direction });
  if (!isCurrent()) return;
  fill(element, h("p", { class: "pair-links" }, [a, b].map((name, index) =>
    h("a", { href: listAddress({ ...only(direction), api: name }) }, t("apiPair.requests", { name: t(index === 0 ? "pair.a" : "pair.b") })))), ...tables(answer));
}
