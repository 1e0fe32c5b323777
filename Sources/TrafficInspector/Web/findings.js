// The audit's findings: the problem, what to do, the saving, and the exchanges that show it.
import { get } from "./api.js";
import { directionMark, only } from "./directions.js";
import { fill, h } from "./dom.js";
import { apiName, bytes, duration, number } from "./format.js";
import { t } from "./messages.js";
import { sentence } from "./sentences.js";
import { hashOf, listAddress, place } from "./place.js";

/** @param {import("./types.d.ts").Loose[]} found */
export function findings(found) {
  const most = found.reduce((most, finding) => Math.max(most, Number(finding.saving?.bytes) || 0), 0);
  return h("ol", { class: "findings" }, found.map((finding) => card(finding, most)));
}

/**
 * @param {import("./types.d.ts").Loose} finding
 * @param {number} most
 */
function card(finding, most) {
  const saving = finding.saving ?? {};
  const api = finding.method ? apiName(finding) : finding.host ?? "";
  /** @type {import("./types.d.ts").Filters} */
  const filters = { ...only(finding.direction), ...(finding.method && finding.host && finding.template
    ? { api: apiName(finding) } : finding.host ? { host: finding.host } : {}) };
  const bar = h("i", {});
  bar.style.setProperty("width", `${most > 0 ? ((Number(saving.bytes) || 0) / most) * 100 : 0}%`);
  const evidence = Array.isArray(finding.evidence) ? finding.evidence : [];
  return h("li", { class: `finding${finding.alarm ? " alarm" : ""}` },
    h("div", { class: "finding-saving" },
      saving.bytes ? h("b", {}, bytes(saving.bytes)) : null,
      saving.milliseconds ? h("b", {}, duration(saving.milliseconds)) : null,
      finding.basis && h("small", {}, t(finding.basis === "measured" ? "audit.measured" : "audit.estimated")),
      h("span", { class: "finding-bar", "aria-hidden": "true" }, bar)),
    h("div", { class: "finding-text" },
      h("p", { class: "finding-head" }, h("code", { class: "rule" }, String(finding.rule ?? "")),
        api && h("a", { href: listAddress(filters) }, api), directionMark(finding.direction)),
      h("p", { class: "problem" }, sentence(finding, "problem")),
      h("p", { class: "remedy" }, sentence(finding, "remedy")),
      h("p", { class: "quiet" },
        [
          finding.affectedCalls !== undefined && (Number(finding.affectedCalls) === 1
            ? t("audit.call") : t("audit.calls", { n: number(Number(finding.affectedCalls)) })),
          saving.bytesPer1000Calls ? t("audit.per", { n: bytes(saving.bytesPer1000Calls) }) : null,
          finding.source ? sentence(finding, "source") : null,
        ].filter(Boolean).join(" · ")),
      evidence.length > 0 && h("p", { class: "evidence-links" }, h("span", {}, `${t("audit.evidence")} `),
        evidence.slice(0, 12).map((id) => h("a", { href: detailAddress(Number(id)) }, `#${Number(id)}`)))));
}

/** @param {number} id */
function detailAddress(id) {
  return hashOf({ ...place(), page: "list", filters: {}, id, tab: "overview" });
}

/**
 * The order, as in `wireweight audit --sort`; the server sorts by bytes and time together.
 * @type {Record<string, (saving: import("./types.d.ts").Loose) => number>}
 */
const orders = {
  saving: () => 0,
  bytes: (saving) => Number(saving.bytes) || 0,
  time: (saving) => Number(saving.milliseconds) || 0,
};

/**
 * @param {import("./types.d.ts").Loose[]} found
 * @param {string} order
 */
function ordered(found, order) {
  return [...found].sort((one, other) => Number(Boolean(other.alarm)) - Number(Boolean(one.alarm))
    || orders[order](other.saving ?? {}) - orders[order](one.saving ?? {}));
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeAudit() {
  const list = h("div", { class: "page-body" });
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const choice = h("div", { class: "segments", role: "group" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, choice), list);
  let age = 0;
  /** @type {keyof typeof orders} */
  let order = "saving";
  /** @type {import("./types.d.ts").Loose[]} */
  let last = [];

  function draw() {
    choice.hidden = last.length < 2;
    choice.setAttribute("aria-label", t("audit.sort"));
    const focused = choice.contains(document.activeElement);
    fill(choice, Object.keys(orders).map((name) =>
      h("button", {
        type: "button", "data-sort": name, "aria-pressed": String(name === order), click: () => {
          order = /** @type {keyof typeof orders} */ (name);
          draw();
        },
      }, t(`audit.sort.${name}`))));
    if (focused) /** @type {HTMLElement | null} */ (choice.querySelector(`[data-sort="${order}"]`))?.focus();
    if (last.length === 0) return fill(list, h("p", { class: "empty" }, t("audit.clean")));
    fill(list, h("p", { class: "quiet audit-order" }, t(`audit.order.${order}`)), findings(ordered(last, order)));
  }

  return {
    element,
    async show({ filters }) {
      const mine = ++age;
      fill(title, t("audit.title"));
      try {
        const audit = await get("audit", { since: filters.since, until: filters.until });
        if (mine !== age) return;
        /** @type {import("./types.d.ts").Loose[]} */
        const found = audit.findings ?? [];
        const count = (/** @type {import("./types.d.ts").Loose} */ one) =>
          t("live.exchanges", { n: number(Number(one.examined.exchanges)) });
        fill(sum, !audit.examined ? "" : !audit.served ? count(audit)
          : [audit, audit.served].map((one) => `${t(`direction.${one.direction}`)}: ${count(one)}`).join("; "));
        last = found;
        draw();
      } catch (error) {
        if (mine === age) fill(list, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    },
    leave() {
      age += 1;
    },
  };
}
