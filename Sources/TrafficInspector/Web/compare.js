// Another file and this one, or two ranges of time, API by API; or two requests, or two APIs.
import { get } from "./api.js";
import { pairOf, showAPIPair } from "./api-pair.js";
import { delta, signed } from "./delta.js";
import { directionMark, directionOfSums, only } from "./directions.js";
import { fill, h, say } from "./dom.js";
import { fileName, otherFiles } from "./files.js";
import { apiName, bytes, clock, duration, number, order, percent } from "./format.js";
import { named, t } from "./messages.js";
import { showPair } from "./pair.js";
import { go, listAddress, place } from "./place.js";

/** @typedef {import("./types.d.ts").Loose} Loose */

/** @param {Loose | null | undefined} total */
const weight = (total) => (total ? Number(total.up) + Number(total.down) : 0);

/** @param {Loose} row */
function change(row) {
  if (!row.before) return h("span", { class: "delta new" }, t("compare.new"));
  if (!row.after) return h("span", { class: "delta gone" }, t("compare.gone"));
  const by = Number(row.change ?? weight(row.after) - weight(row.before));
  return delta(by, bytes, weight(row.before) > 0 && h("small", {}, signed(by / weight(row.before), percent)));
}

/** @param {Loose} row */
function latency(row) {
  const before = row.before?.latency?.p50;
  const after = row.after?.latency?.p50;
  const finding = row.latency?.finding;
  return h("td", { class: "t-p50" }, `${duration(before)} → ${duration(after)}`,
    finding && h("small", { class: finding === "slower" ? "bad" : "" }, named("compare", String(finding))));
}

/** @param {Loose} row */
function perCall(row) {
  const [before, after] = [row.before?.perCall?.total?.p50, row.after?.perCall?.total?.p50];
  const finding = row.perCall?.finding;
  return h("td", { class: "t-call" }, `${bytes(before)} → ${bytes(after)}`,
    finding && h("small", { class: finding === "heavier" ? "bad" : "" }, named("compare", String(finding))));
}

/** @typedef {{ name: string, label: string, value: (row: Loose) => number | string }} Column */

/** @type {Column[]} */
const columns = [
  { name: "api", label: "apis.api", value: (row) => `${row.host}${row.template} ${row.method}` },
  { name: "requests", label: "apis.requests", value: (row) => Number(row.after?.requests ?? 0) },
  { name: "before", label: "compare.before", value: (row) => weight(row.before) },
  { name: "after", label: "compare.after", value: (row) => weight(row.after) },
  { name: "change", label: "compare.change", value: (row) => Math.abs(Number(row.change ?? weight(row.after) - weight(row.before))) },
  { name: "call", label: "compare.call", value: (row) => Number(row.after?.perCall?.total?.p50 ?? -1) },
  { name: "p50", label: "compare.latency", value: (row) => Number(row.after?.latency?.p50 ?? -1) },
];

/**
 * Whether an API is unchanged: the same bytes in the same number of requests, and no clear change of its durations.
 * @param {Loose} row
 */
function isSame(row) {
  return Boolean(row.before && row.after) && weight(row.before) === weight(row.after)
    && row.before.requests === row.after.requests && !["slower", "faster"].includes(String(row.latency?.finding ?? ""));
}

/** @param {Loose} row */
function line(row) {
  return h("tr", {},
    h("th", { scope: "row", class: "t-api" },
      h("a", { href: listAddress({ ...only(row.direction), api: apiName(row) }) },
        h("b", { class: "c-method" }, String(row.method)), " ", h("span", { class: "t-template" }, String(row.template))), directionMark(row.direction),
      h("small", {}, String(row.host))),
    h("td", { class: "t-requests" },
      `${number(Number(row.before?.requests ?? 0))} → ${number(Number(row.after?.requests ?? 0))}`),
    h("td", { class: "t-before" }, row.before ? bytes(weight(row.before)) : "–"),
    h("td", { class: "t-after" }, row.after ? bytes(weight(row.after)) : "–"),
    h("td", { class: "t-change" }, change(row)), perCall(row), latency(row));
}

/**
 * The earlier range that goes with a range, or that splits the time.
 * @param {string} choice
 * @param {{ since?: string, until?: string }} range
 * @param {import("./types.d.ts").Overview} overview
 * @returns {{ comparison: import("./types.d.ts").Comparison, since?: string, until?: string }}
 */
export function rangesOf(choice, range, overview) {
  const first = Number(range.since ?? overview.firstSeen ?? 0);
  const last = Number(range.until ?? overview.lastSeen ?? first);
  const before = "this";
  if (choice === "halves") {
    const middle = String(Math.round((first + last) / 2));
    return { comparison: { before, "before.until": middle }, since: middle, until: range.until };
  }
  const comparison = choice === "just-before"
    ? { before, "before.since": String(Math.round(first - (last - first))), "before.until": String(first) }
    : { before, "before.until": String(first) };
  return { comparison, since: String(first), until: range.until };
}

/**
 * @param {() => void} choose lets the person choose a file
 * @returns {import("./types.d.ts").View & { element: HTMLElement }}
 */
export function makeCompare(choose) {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const choices = h("div", { class: "compare-choices" });
  const body = h("div", { class: "page-body" });
  const kinds = h("div", { class: "segments", role: "group" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, kinds, choices), body);
  let age = 0;
  let sort = "change";
  let descending = true;
  let showsSame = false;
  /** @type {Loose[]} */
  let rows = [];
  /** The files, while the page goes to the one that it compares with by itself. @type {Awaited<ReturnType<typeof otherFiles>> | null} */
  let known = null;

  function draw() {
    const column = columns.find(({ name }) => name === sort) ?? columns[4];
    const same = rows.filter(isSame);
    const shown = (showsSame ? [...rows] : rows.filter((row) => !isSame(row))).sort((one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      const difference = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
      return descending ? -difference : difference;
    });
    const active = document.activeElement instanceof HTMLElement && body.contains(document.activeElement)
      ? document.activeElement.dataset.sort : undefined;
    fill(body,
      same.length === rows.length && h("p", { class: "empty" }, t("compare.same")),
      shown.length > 0 && h("p", { class: "quiet order", role: "status" }, order(t(`compare.by.${sort}`), sort === "api", descending)),
      shown.length > 0 && h("table", { class: "table compare" },
        h("thead", {}, h("tr", {}, columns.map(({ name, label, value }) =>
          h("th", {
            scope: "col", class: `t-${name}`, "aria-sort": sort === name ? (descending ? "descending" : "ascending") : null,
          }, h("button", {
            type: "button", class: "sort", "data-sort": name, click: () => {
              descending = sort === name ? !descending : typeof value(rows[0]) !== "string";
              sort = name;
              draw();
            },
          }, t(label), sort === name &&
            h("span", { class: `arrow ${descending ? "descending" : "ascending"}`, "aria-hidden": "true" })))))),
        h("tbody", {}, shown.map(line))),
      same.length > 0 && h("p", { class: "compare-same" }, h("button", {
        type: "button", "data-sort": "same", "aria-expanded": String(showsSame), click: () => {
          showsSame = !showsSame;
          draw();
        },
      }, showsSame ? t("compare.fold") : t(same.length === 1 ? "compare.unfold.one" : "compare.unfold", { n: number(same.length) }))));
    if (active) /** @type {HTMLElement | null} */ (body.querySelector(`[data-sort="${active}"]`))?.focus();
  }

  /**
   * What is taken as the earlier one: a file, or a range of this one.
   * @param {import("./types.d.ts").Overview} overview
   * @param {import("./files.js").OtherFile[]} files
   * @param {boolean} canAdd
   */
  function drawChoices(overview, files, canAdd) {
    const { filters, comparison } = place();
    const { since, until } = filters;
    const hasRange = Boolean(since || until);
    const kept = comparison?.before === "this";
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      h("option", { value, selected: !kept && value === `file:${comparison?.before}` }, text);
    const span = (/** @type {string | undefined} */ moment, /** @type {number | null} */ other) =>
      moment || other ? clock(Number(moment ?? other), true) : "–";
    const select = h("select", {
      "aria-label": t("compare.earlier"), "data-control": "earlier", change: () => {
        const value = select.value;
        if (value === "open") {
          choose();
        } else if (value.startsWith("file:")) {
          go({ comparison: { before: value.slice(5) } });
        } else if (value !== "kept") {
          const next = rangesOf(value, { since, until }, overview);
          /** @type {import("./types.d.ts").Filters} */
          const changed = { ...filters };
          if (next.since) changed.since = next.since;
          go({ comparison: next.comparison, filters: changed });
        }
      },
    },
    kept && h("option", { value: "kept", selected: true },
      t("compare.range", { from: span(comparison?.["before.since"], overview.firstSeen), to: span(comparison?.["before.until"], overview.lastSeen) })),
    files.map((file) => option(`file:${file.id}`, fileName(file))),
    hasRange ? [option("just-before", t("compare.justBefore")), option("all-before", t("compare.allBefore"))]
      : overview.firstSeen !== overview.lastSeen && option("halves", t("compare.halves")),
    !kept && !comparison?.before && h("option", { value: "none", selected: true, disabled: true }, t("compare.choose")),
    canAdd && option("open", t("files.open")));
    const now = hasRange ? t("compare.range", { from: span(since, overview.firstSeen), to: span(until, overview.lastSeen) })
      : overview.name;
    fill(choices, h("label", {}, t("compare.before"), " ", select), h("span", { "aria-hidden": "true" }, "→"),
      h("span", {}, t("compare.after"), " ", h("b", {}, now)),
      hasRange && h("button", {
        type: "button", class: "button", click: () => {
          /** @type {import("./types.d.ts").Comparison} */
          const next = { before: "this" };
          if (since) next["before.since"] = since;
          if (until) next["before.until"] = until;
          const rest = { ...filters };
          delete rest.since;
          delete rest.until;
          go({ comparison: next, filters: rest });
        },
      }, t("compare.keep")));
  }

  /** Compares the two heaviest APIs, until others are chosen. */
  async function openPair() {
    const { since, until } = place().filters;
    try {
      const { apis } = await get("apis", { since, until, direction: directionOfSums() });
      const [first, second] = pairOf(apis.map(apiName), undefined, undefined);
      if (first && second) go({ comparison: { "api.a": first, "api.b": second } });
      else say(t("apiPair.few"));
    } catch (error) {
      say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {number} mine */
  async function load(mine) {
    const { files, previous, canAdd } = known = known ?? await otherFiles();
    if (mine !== age) return;
    const { comparison, filters } = place();
    const named = files.find(({ kind }) => kind === "named")?.id ?? previous;
    if (!comparison?.before && named) return go({ comparison: { before: named } }, true);
    const overview = await get("overview");
    if (mine !== age) return;
    known = null;
    drawChoices(overview, files, canAdd);
    if (!comparison?.before) {
      return fill(body, h("div", { class: "empty" }, h("p", {}, t("compare.none")),
        canAdd && h("p", {}, h("button", { type: "button", class: "button", click: choose }, t("files.open")))));
    }
    const { since, until } = filters;
    const diff = await get("compare", { ...comparison, since, until });
    if (mine !== age) return;
    rows = diff.apis ?? [];
    if (diff.totals) {
      /** @param {Loose} totals */
      const passage = (totals) => `${t("compare.before")} ${bytes(weight(totals.before))} → ${t("compare.after")} `
        + bytes(weight(totals.after));
      // Called and served are never added up.
      fill(sum, diff.servedTotals
        ? [diff.totals, diff.servedTotals].map((totals) => `${t(`direction.${totals.direction}`)}: ${passage(totals)}`).join("; ")
        : passage(diff.totals));
    }
    draw();
  }

  return {
    element,
    async show(where) {
      const mine = ++age;
      const { a, b, "api.a": api } = where.comparison ?? {};
      fill(title, t(a && b ? "pair.title" : api ? "apiPair.title" : "compare.title"));
      fill(sum);
      kinds.hidden = Boolean(a && b);
      kinds.setAttribute("aria-label", t("compare.kind"));
      fill(kinds, [false, true].map((isPair) => h("button", {
        type: "button", "data-kind": isPair ? "apis" : "runs", "aria-pressed": String(isPair === Boolean(api)),
        click: () => isPair ? void openPair() : go({ comparison: undefined }),
      }, t(isPair ? "apiPair.title" : "compare.runs"))));
      try {
        if (a && b) {
          fill(choices);
          await showPair(body, Number(a), Number(b), () => mine === age);
        } else if (api) {
          await showAPIPair(choices, body, () => mine === age);
        } else {
          await load(mine);
        }
      } catch (error) {
        if (mine !== age) return;
        fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    },
    leave() {
      age += 1;
      known = null;
    },
  };
}
