// The bar below the list: the sums of what the filters select.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { bytes, duration, exactBytes, number, percent } from "./format.js";
import { t } from "./messages.js";
import { place } from "./place.js";

/** @typedef {import("./types.d.ts").Sums} Sums */

/**
 * @param {Sums} sums
 * @param {string | null} host the only one that there is
 */
function line(sums, host) {
  const { requests, failures, up, down, total, perCall, p50, p95 } = sums;
  const call = perCall.total;
  /** @type {{ name: string, value: string, title?: string, bad?: boolean }[]} */
  const items = [
    { name: "requests", value: t(requests === 1 ? "sums.request" : "sums.requests", { n: number(requests) }) },
    { name: "up", value: `↑ ${bytes(up)}`, title: `${t("column.up")}: ${exactBytes(up)}` },
    { name: "down", value: `↓ ${bytes(down)}`, title: `${t("column.down")}: ${exactBytes(down)}` },
    { name: "total", value: t("sums.total", { n: bytes(total) }), title: exactBytes(total) },
    {
      name: "failures", value: t("sums.failed", { n: number(failures), share: percent(requests > 0 ? failures / requests : 0) }),
      bad: failures > 0,
    },
    { name: "call", value: t("sums.call", { p50: bytes(call.p50), p95: bytes(call.p95) }), title: t("sums.call.title") },
    { name: "time", value: t("sums.time", { p50: duration(p50), p95: duration(p95) }), title: t("sums.time.title") },
  ];
  return h("div", { class: "sums-line" }, sums.direction === "served" && h("b", {}, t("direction.served")),
    host && h("span", { class: "sum-host", title: t("filter.host") }, host),
    items.map(({ name, value, title, bad }) => h("span", { class: `sum-${name}${bad ? " bad" : ""}`, title }, value)));
}

/**
 * @param {() => boolean} isSearching whether the list has no rows yet, or searches on: these come first
 * @param {(sums: Sums[], host: string | null) => void} known takes the sums, and the host if there is only one
 */
export function makeSums(isSearching, known) {
  // Its line has its room from the start: the list above it keeps its height when the sums come.
  const element = h("div", { class: "sums" }, h("div", { class: "sums-line", "aria-hidden": "true" }, "\u00a0"));
  let age = 0;
  /** The last request, and whether its response is pending. */
  let asked = "";
  let waits = false;

  /** @param {boolean} [again] also when the filters are the same */
  async function load(again = false) {
    const { filters } = place();
    const wanted = JSON.stringify([filters, t("sums.label")]);
    element.classList.toggle("stale", wanted !== asked || (waits && !again));
    if (isSearching() || (wanted === asked && (waits || !again))) return;
    asked = wanted;
    waits = true;
    const mine = ++age;
    try {
      /** @type {{ sums: Sums[], host: string | null, truncated: boolean }} */
      const { sums, host, truncated } = await get("sums", filters);
      if (mine !== age) return;
      element.hidden = sums.length === 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", t("sums.label"));
      known(sums, host);
      fill(element, sums.map((one) => line(one, host)), truncated && h("span", { class: "quiet" }, t("sums.truncated", { n: number(200_000) })));
      element.classList.remove("stale");
    } catch {
      // The list shows the error.
      if (mine === age) element.hidden = true;
    } finally {
      if (mine === age) waits = false;
    }
  }
  return { element, load };
}
