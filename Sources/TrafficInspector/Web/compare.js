// Another file and this one, API by API.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { bytes, duration, number, percent } from "./format.js";
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

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeCompare() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const body = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum), body);
  let age = 0;
  return {
    element,
    async show() {
      const mine = ++age;
      fill(title, t("compare.title"));
      fill(sum);
      try {
        const diff = await get("compare");
        if (mine !== age) return;
        /** @type {Loose[]} */
        const rows = diff.apis ?? [];
        if (diff.totals) {
          fill(sum, `${t("compare.before")} ${bytes(weight(diff.totals.before))} → ${t("compare.after")} `,
            `${bytes(weight(diff.totals.after))}`);
        }
        if (rows.length === 0) return fill(body, h("p", { class: "empty" }, t("compare.same")));
        fill(body, h("table", { class: "table compare" },
          h("thead", {}, h("tr", {}, [
            ["api", t("apis.api")], ["requests", t("apis.requests")], ["before", t("compare.before")],
            ["after", t("compare.after")], ["change", t("compare.change")], ["p50", t("compare.latency")],
          ].map(([name, label]) => h("th", { scope: "col", class: `t-${name}` }, label)))),
          h("tbody", {}, rows.map((row) => h("tr", {},
            h("th", { scope: "row", class: "t-api" },
              h("a", { href: listAddress({ api: `${row.method} ${row.host}${row.template}` }) },
                h("b", { class: "c-method" }, String(row.method)), " ", h("span", { class: "t-template" }, String(row.template))),
              h("small", {}, String(row.host))),
            h("td", { class: "t-requests" },
              `${number(Number(row.before?.requests ?? 0))} → ${number(Number(row.after?.requests ?? 0))}`),
            h("td", { class: "t-before" }, row.before ? bytes(weight(row.before)) : "–"),
            h("td", { class: "t-after" }, row.after ? bytes(weight(row.after)) : "–"),
            h("td", { class: "t-change" }, change(row)), latency(row))))));
      } catch (error) {
        if (mine !== age) return;
        const { status, message } = /** @type {{ status?: number, message: string }} */ (error);
        fill(body, status === 404
          ? h("p", { class: "empty" }, t("compare.none")) : h("p", { class: "error", role: "alert" }, message));
      }
    },
    leave() {
      age += 1;
    },
  };
}
