// Another file and this one, API by API.
import { get } from "./api.js";
import { directionMark, only } from "./directions.js";
import { command, fill, h } from "./dom.js";
import { apiName, bytes, duration, number, order, percent } from "./format.js";
import { named, t } from "./messages.js";
import { listAddress } from "./place.js";

/** @typedef {import("./types.d.ts").Loose} Loose */

/** @param {Loose | null | undefined} total */
const weight = (total) => (total ? Number(total.up) + Number(total.down) : 0);

/** @param {Loose} row */
function change(row) {
  if (!row.before) return h("span", { class: "delta new" }, t("compare.new"));
  if (!row.after) return h("span", { class: "delta gone" }, t("compare.gone"));
  const by = Number(row.change ?? weight(row.after) - weight(row.before));
  if (by === 0) return h("span", { class: "delta same" }, "±0");
  const share = weight(row.before) > 0 ? by / weight(row.before) : null;
  return h("span", { class: `delta ${by > 0 ? "more" : "less"}` }, `${by > 0 ? "+" : "−"}${bytes(Math.abs(by))}`,
    share !== null && h("small", {}, `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`));
}

/** @param {Loose} row */
function latency(row) {
  const before = row.before?.latency?.p50;
  const after = row.after?.latency?.p50;
  const finding = row.latency?.finding;
  return h("td", { class: "t-p50" }, `${duration(before)} → ${duration(after)}`,
    finding && h("small", { class: finding === "slower" ? "bad" : "" }, named("compare", String(finding))));
}

/** @typedef {{ name: string, label: string, value: (row: Loose) => number | string }} Column */

/** @type {Column[]} */
const columns = [
  { name: "api", label: "apis.api", value: (row) => `${row.host}${row.template} ${row.method}` },
  { name: "requests", label: "apis.requests", value: (row) => Number(row.after?.requests ?? 0) },
  { name: "before", label: "compare.before", value: (row) => weight(row.before) },
  { name: "after", label: "compare.after", value: (row) => weight(row.after) },
  { name: "change", label: "compare.change", value: (row) => Math.abs(Number(row.change ?? weight(row.after) - weight(row.before))) },
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
    h("td", { class: "t-change" }, change(row)), latency(row));
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeCompare() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const body = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum), body);
  let age = 0;
  let sort = "change";
  let descending = true;
  let showsSame = false;
  /** @type {Loose[]} */
  let rows = [];

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

  return {
    element,
    async show() {
      const mine = ++age;
      fill(title, t("compare.title"));
      fill(sum);
      try {
        /** @type {import("./types.d.ts").Overview} */
        const overview = await get("overview");
        if (mine !== age) return;
        if (!overview.can.compare) {
          return fill(body, h("div", { class: "empty" }, h("p", {}, t("compare.none")),
            h("p", {}, command(["inspect", overview.file ?? overview.name, "--compare", t("compare.file")]))));
        }
        const diff = await get("compare");
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
      } catch (error) {
        if (mine !== age) return;
        fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    },
    leave() {
      age += 1;
    },
  };
}
