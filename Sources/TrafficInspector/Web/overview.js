// The overview: what all of it weighed, which APIs that was, what could be saved, and how exact the figures are.
import { get, getShared } from "./api.js";
import { shareBar } from "./apis.js";
import { directionChoice, directionOfSums } from "./directions.js";
import { fill, h } from "./dom.js";
import { findings } from "./findings.js";
import { bytes, duration, exactBytes, number, percent } from "./format.js";
import { groupCell } from "./groups.js";
import { t } from "./messages.js";
import { hashOf, place } from "./place.js";
import { showNews } from "./news.js";
import { completeness } from "./sentences.js";

/** @typedef {import("./types.d.ts").API} API */

const heaviest = 5;
const savings = 3;

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [more]
 * @param {boolean} [bad]
 * @param {string} [title]
 */
function figure(name, value, more, bad, title) {
  return h("div", { class: `figure f-${name}`, title }, h("dt", {}, t(`overview.${name}`)),
    h("dd", { class: bad ? "bad" : null }, value, more && h("small", {}, more)));
}

/** @param {import("./types.d.ts").Loose} totals */
function figures(totals) {
  const { requests, failures, up, down, total, perCall, p50, p95 } = totals;
  const call = perCall.total;
  return h("dl", { class: "figures" },
    figure("requests", number(requests)),
    figure("up", bytes(up), undefined, false, exactBytes(up)),
    figure("down", bytes(down), undefined, false, exactBytes(down)),
    figure("total", bytes(total), undefined, false, exactBytes(total)),
    figure("failures", number(failures), requests > 0 ? percent(failures / requests) : undefined, failures > 0),
    figure("call", bytes(call.p50), `p95 ${bytes(call.p95)}`),
    figure("time", duration(p50), `p95 ${duration(p95)}`));
}

/**
 * @param {string} title
 * @param {string} page where the rest is
 * @param {string} words what the rest is called
 */
function heading(title, page, words) {
  return h("div", { class: "overview-head" }, h("h2", {}, title),
    h("a", { href: hashOf({ ...place(), page, id: null }) }, words));
}

/** @param {API[]} apis */
function heavy(apis) {
  const most = apis[0].total;
  return h("table", { class: "table heaviest" },
    h("thead", {}, h("tr", {}, ["api", "requests", "total", "share"].map((name) =>
      h("th", { scope: "col", class: `t-${name}` }, t(`apis.${name}`))))),
    h("tbody", {}, apis.slice(0, heaviest).map((api) => h("tr", {},
      groupCell("api", api),
      h("td", { class: "t-requests" }, number(api.requests)),
      h("td", { class: "t-total" }, bytes(api.total)),
      h("td", { class: "t-share" }, shareBar(api, most))))));
}

/**
 * @param {() => import("./dom.js").Child[]} nothing the text for a store without exchanges
 * @returns {import("./types.d.ts").View & { element: HTMLElement }}
 */
export function makeOverview(nothing) {
  const title = h("h1", {});
  const directions = h("div", { class: "segments", hidden: true });
  const sums = h("div", {});
  const saved = h("div", { class: "overview-savings" });
  const weights = h("div", {});
  const news = h("div", {});
  const exact = h("div", {});
  const body = h("div", { class: "page-body" }, sums, h("div", { class: "overview-columns" }, h("div", {}, weights, news, exact), saved));
  const element = h("section", { class: "page overview" }, h("header", { class: "page-head" }, title, directions), body);
  let age = 0;
  /** @type {import("./types.d.ts").Place | null} */
  let last = null;
  const empty = h("div", { class: "empty" });

  function notice() {
    if (!empty.isConnected) return;
    const { since, until } = last?.filters ?? {};
    fill(empty, since || until ? t("apis.empty") : nothing());
  }

  /**
   * What shows an error in its own part: what the others have stays.
   * @param {HTMLElement} part
   * @param {number} mine
   */
  function failed(part, mine) {
    return (/** @type {unknown} */ error) => {
      if (mine === age) fill(part, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
    };
  }

  /** @param {number} mine */
  async function loadSums(mine) {
    const { since, until } = last?.filters ?? {};
    const answer = await getShared("apis", { since, until, direction: directionOfSums() });
    if (mine !== age) return;
    /** @type {API[]} */
    const apis = [...answer.apis].sort((one, other) => other.total - one.total);
    if (apis.length === 0) {
      if (!empty.isConnected) fill(sums, empty);
      notice();
      for (const part of [weights, saved, news, exact]) fill(part);
      return;
    }
    fill(sums, figures(answer.totals));
    fill(weights, heading(t("overview.heaviest"), "apis", t("overview.apis", { n: number(apis.length) })), heavy(apis));
    const verdict = completeness(answer.completeness);
    fill(exact, verdict.length > 0 && h("h2", {}, t("overview.exact")), verdict.map((one) => h("p", {}, one)));
  }

  /** @param {number} mine */
  async function loadSavings(mine) {
    const { since, until } = last?.filters ?? {};
    const audit = await get("audit", { since, until });
    if (mine !== age) return;
    const direction = directionOfSums();
    /** @type {import("./types.d.ts").Loose[]} */
    const found = (audit.findings ?? []).filter((/** @type {import("./types.d.ts").Loose} */ one) => one.direction === direction);
    fill(saved, found.length > 0 && [
      heading(t("overview.savings"), "audit", t("overview.findings", { n: number(found.length) })),
      findings(found.slice(0, savings)),
    ]);
  }

  /** @param {number} mine */
  async function loadNews(mine) {
    const { since, until } = last?.filters ?? {};
    // A part of this run would lack what the whole of the other has.
    if (since || until) return fill(news);
    await showNews(news, () => mine === age);
  }

  return {
    element,
    show(where) {
      last = where;
      const mine = ++age;
      fill(title, t("page.overview"));
      directionChoice(directions, false);
      // The sums are there at once; the audit reads many rows.
      loadSums(mine).then(() => Promise.all([
        loadSavings(mine).catch(failed(saved, mine)),
        loadNews(mine).catch(failed(news, mine)),
      ])).catch(failed(sums, mine));
    },
    notice,
    live: () => void loadSums(age).catch(() => {}),
    leave() {
      age += 1;
    },
  };
}
