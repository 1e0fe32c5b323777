// The APIs by their bytes, or what else the command groups by.
import { getShared } from "./api.js";
import { directionChoice, directionOfSums, hasBoth } from "./directions.js";
import { fill, h, icon, svg } from "./dom.js";
import { bytes, duration, number, order, percent } from "./format.js";
import { groupCell, groupings } from "./groups.js";
import { t } from "./messages.js";
import { go, hashOf, place } from "./place.js";
import { completeness } from "./sentences.js";
import { apart, legend, partName, parts } from "./sizes.js";

/** @typedef {import("./types.d.ts").Group} Group */

/** @type {{ name: string, value: (api: Group) => number | string | null, text?: boolean }[]} */
const columns = [
  { name: "api", value: (api) => `${api.host ?? ""}${api.template ?? api.path ?? ""} ${groupings[grouping()].name(api)}`, text: true },
  { name: "requests", value: (api) => api.requests },
  { name: "failures", value: (api) => api.failures },
  { name: "failureRate", value: (api) => api.failureRate },
  { name: "up", value: (api) => api.up },
  { name: "down", value: (api) => api.down },
  { name: "total", value: (api) => api.total },
  { name: "call", value: (api) => api.perCall.total.p50 },
  { name: "callP95", value: (api) => api.perCall.total.p95 },
  { name: "callMax", value: (api) => api.perCall.total.max },
  { name: "share", value: (api) => api.up + api.down },
  { name: "p50", value: (api) => api.p50 },
  { name: "p95", value: (api) => api.p95 },
];

/** @param {number | null} size */
const weight = (size) => size === null ? "–" : bytes(size);

/**
 * What one call weighs, with both directions in a tooltip.
 * @param {Group} api
 * @param {string} column
 * @param {"p50" | "p95" | "max"} figure
 * @param {string} [label]
 */
function callCell({ perCall }, column, figure, label) {
  return h("td", {
    role: "cell", class: `t-${column}`, "data-label": label ?? null,
    title: perCall.calls > 0 ? t("apis.call.ways", { up: bytes(perCall.up[figure] ?? 0), down: bytes(perCall.down[figure] ?? 0) }) : null,
  }, weight(perCall.total[figure]));
}

/** By what the sums are grouped. */
function grouping() {
  const by = place().by ?? "api";
  return Object.hasOwn(groupings, by) ? by : "api";
}

/** @param {number[]} values */
function sparkline(values) {
  const most = Math.max(1, ...values);
  const width = values.length * 4;
  return svg("svg", {
    class: "spark", viewBox: `0 0 ${width} 20`, preserveAspectRatio: "none", role: "img",
    "aria-label": t("apis.spark.label", { n: number(Math.max(0, ...values)) }),
  }, values.map((value, index) => value > 0
    ? svg("rect", { x: index * 4, width: 3, y: 20 - Math.max(1.5, (value / most) * 20), height: Math.max(1.5, (value / most) * 20) })
    : null));
}

/**
 * A bar as long as the API's share, coloured by part.
 * @param {Group} api
 * @param {number} most
 */
export function shareBar(api, most) {
  const up = apart(api.parts.up);
  const down = apart(api.parts.down);
  const bar = h("span", { class: "share-bar", "aria-hidden": "true" });
  for (const part of parts) {
    const size = (up[part] ?? 0) + (down[part] ?? 0);
    if (size <= 0) continue;
    const segment = h("i", { class: `p-${part}`, title: `${partName(part)}: ${bytes(size)}` });
    segment.style.setProperty("flex-grow", String(size));
    bar.append(segment);
  }
  bar.style.setProperty("width", `${most > 0 ? Math.max(1, ((api.up + api.down) / most) * 100) : 0}%`);
  return h("span", { class: "share-track" }, bar);
}

/**
 * The requests of a group over time, which lead to its timeline, and a way to compare it with another API.
 * @param {string} by
 * @param {Group} group
 * @param {boolean} isAlone
 */
function history(by, group, isAlone) {
  const { since, until, direction } = place().filters;
  const filters = groupings[by].filters(group);
  const name = groupings[by].name(group);
  const line = sparkline(group.spark ?? []);
  return h("td", { role: "cell", class: "t-spark" }, filters ? h("a", {
    href: hashOf({ ...place(), page: "timeline", id: null, filters: { ...filters, ...(since && { since }), ...(until && { until }), ...(direction && { direction }), ...(by === "direction" && filters) } }),
    title: t("apis.history", { name }),
  }, line) : line,
  by === "api" && !isAlone && h("a", {
    class: "beside", title: t("apis.beside", { name }), "aria-label": t("apis.beside", { name }),
    href: hashOf({ ...place(), page: "compare", id: null, comparison: { "api.a": name } }),
  }, icon("compare")));
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeAPIs() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet page-sum" });
  const directions = h("div", { class: "segments", hidden: true });
  const body = h("div", { class: "page-body" });
  const choice = h("select", { "data-control": "by", change: () => go({ by: choice.value === "api" ? undefined : choice.value }) });
  const choiceLabel = h("span", {});
  const groups = h("label", { class: "group-choice" }, choiceLabel, choice);
  const search = h("input", {
    type: "search", class: "search search-apis", autocomplete: "off", spellcheck: "false", maxlength: 200, input: () => draw(),
  });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, directions, groups, search), body);
  let sort = "share";
  let descending = true;
  let age = 0;
  /** @type {Group[]} */
  let apis = [];
  /** How many groups with fewer bytes are not in the answer. */
  let rest = 0;
  /** By what these are grouped. */
  let by = "api";

  function draw() {
    if (apis.length === 0) return fill(body, h("p", { class: "empty" }, t("apis.empty")));
    const column = columns.find(({ name }) => name === sort) ?? columns[10];
    // Each word is somewhere in the method, the host or the template.
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = apis.filter((api) => {
      const name = groupings[by].name(api).toLowerCase();
      return words.every((word) => name.includes(word));
    });
    if (found.length === 0) return fill(body, h("p", { class: "empty", role: "status" }, t(by === "api" ? "apis.search.none" : "group.search.none")));
    const sorted = found.sort((one, other) => {
      const a = column.value(one) ?? -1;
      const b = column.value(other) ?? -1;
      const difference = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
      return descending ? -difference : difference;
    });
    const all = apis.reduce((sum, api) => sum + api.up + api.down, 0);
    const most = apis.reduce((most, api) => Math.max(most, api.up + api.down), 0);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    fill(body, h("p", { class: "quiet order", role: "status" }, order(t(sort === "api" && by !== "api" ? "group.by.name" : `apis.by.${sort}`), column.text === true, descending)), legend(),
    h("table", { class: "table apis", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(({ name, text }) =>
        h("th", {
          scope: "col", role: "columnheader", class: `t-${name}`, "aria-sort": sort === name ? (descending ? "descending" : "ascending") : null,
        }, h("button", {
          type: "button", class: "sort", "data-sort": name, title: t(name === "api" && by !== "api" ? "group.by.name" : `apis.by.${name}`), click: () => {
            descending = sort === name ? !descending : !text;
            sort = name;
            draw();
          },
        }, t(name === "api" ? `group.${by}` : `apis.${name}`), sort === name &&
          h("span", { class: `arrow ${descending ? "descending" : "ascending"}`, "aria-hidden": "true" })))),
      h("th", { scope: "col", role: "columnheader", class: "t-spark" }, t("apis.spark")))),
      h("tbody", { role: "rowgroup" }, sorted.map((api) => row(api, all, most)))),
    rest > 0 && h("p", { class: "quiet" }, t("group.more", { n: number(rest) })));
    if (focused) /** @type {HTMLElement | null} */ (body.querySelector(`[data-sort="${focused}"]`))?.focus();
  }

  /**
   * @param {Group} api
   * @param {number} all
   * @param {number} most
   */
  function row(api, all, most) {
    const element = h("tr", {
      role: "row", click: (/** @type {MouseEvent} */ event) => {
        // The whole row leads where its name does, unless something else in it is meant.
        const isElsewhere = event.target instanceof Element && event.target.closest("a, button");
        if (!isElsewhere && !event.ctrlKey && !event.metaKey && !event.shiftKey && getSelection()?.isCollapsed !== false) name?.click();
      },
    },
    groupCell(by, api),
    h("td", { role: "cell", class: "t-requests", "data-label": t("apis.requests") }, number(api.requests)),
    h("td", { role: "cell", class: `t-failures${api.failures ? " bad" : " zero"}` }, api.failures ? number(api.failures) : "–"),
    h("td", { role: "cell", class: `t-failureRate${api.failures ? " bad" : " zero"}` },
      api.failures ? percent(api.failureRate) : "–"),
    h("td", { role: "cell", class: "t-up", "data-label": t("apis.up") }, bytes(api.up)),
    h("td", { role: "cell", class: "t-down", "data-label": t("apis.down") }, bytes(api.down)),
    h("td", { role: "cell", class: "t-total", "data-label": t("apis.total") }, bytes(api.total)),
    callCell(api, "call", "p50", t("apis.call")),
    callCell(api, "callP95", "p95"),
    callCell(api, "callMax", "max"),
    h("td", { role: "cell", class: "t-share" }, shareBar(api, most),
      // Called and served are never added up, so that neither is a share of a whole.
      h("span", { class: "share-text" }, by === "direction" && hasBoth() ? "" : percent(all > 0 ? (api.up + api.down) / all : 0))),
    h("td", { role: "cell", class: "t-p50" }, duration(api.p50)),
    h("td", { role: "cell", class: "t-p95" }, duration(api.p95)),
    history(by, api, apis.length < 2));
    const name = /** @type {HTMLElement | null} */ (element.querySelector("th a"));
    if (name) element.classList.add("leads");
    return element;
  }

  /** @type {import("./types.d.ts").Place | null} */
  let last = null;
  async function load() {
    if (!last) return;
    const mine = ++age;
    const { since, until, host } = last.filters;
    try {
      const wanted = grouping();
      const answer = await getShared("apis", { since, until, host, direction: directionOfSums(), by: wanted === "api" ? undefined : wanted });
      if (mine !== age) return;
      by = wanted;
      apis = answer[groupings[by].rows];
      rest = answer.more ?? 0;
      const total = Number(answer.totals?.total ?? 0);
      const captured = answer.totals?.captured;
      // For one host there are only the sums of messages, because its connections also carry other hosts' messages.
      const verdict = completeness(answer.completeness);
      fill(sum, verdict.length > 0 ? verdict.join(" ")
        : typeof captured === "number" && total > 0 ? t("apis.captured", { share: percent(captured), total: bytes(total) }) : "");
      draw();
    } catch (error) {
      if (mine === age && apis.length === 0) {
        fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    }
  }

  return {
    element,
    show(where) {
      last = where;
      const now = grouping();
      fill(title, t(now === "api" ? "apis.title" : "group.title", { by: t(`group.${now}`).toLowerCase() }));
      const words = t(now === "api" ? "apis.search" : "group.search");
      search.setAttribute("aria-label", words);
      search.placeholder = words;
      directionChoice(directions, false);
      fill(choiceLabel, t("group.choice"));
      fill(choice, Object.keys(groupings).map((name) => h("option", { value: name, selected: name === now }, t(`group.${name}`))));
      if (apis.length && by === now) draw();
      else fill(body, h("p", { class: "empty", role: "status" }, t("list.loading")));
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
