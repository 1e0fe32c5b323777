// What is new since the last run: APIs that came or went, and those that weigh more or take longer.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { fileName, otherFiles } from "./files.js";
import { apiName, bytes, duration, number } from "./format.js";
import { t } from "./messages.js";
import { hashOf, listAddress, place } from "./place.js";
import { only } from "./directions.js";

/** @typedef {import("./types.d.ts").Loose} Loose */

const most = 5;

/**
 * The rows worth a line: new APIs first, then those that became heavier or slower beyond chance, then vanished ones.
 * @param {Loose[]} rows
 * @returns {{ kind: "new" | "heavier" | "slower" | "gone", row: Loose }[]}
 */
export function newsOf(rows) {
  const sum = (/** @type {Loose} */ total) => Number(total.up) + Number(total.down);
  /** @type {{ kind: "new" | "heavier" | "slower" | "gone", row: Loose }[]} */
  const news = [];
  for (const row of rows) if (!row.before) news.push({ kind: "new", row });
  news.sort((one, other) => sum(other.row.after) - sum(one.row.after));
  for (const row of rows) if (row.before && row.after && row.perCall?.finding === "heavier") news.push({ kind: "heavier", row });
  for (const row of rows) if (row.before && row.after && row.latency?.finding === "slower") news.push({ kind: "slower", row });
  for (const row of rows) if (!row.after) news.push({ kind: "gone", row });
  return news;
}

/** @param {{ kind: string, row: Loose }} one */
function line({ kind, row }) {
  const figures = kind === "new" ? t("news.calls", { n: number(row.after.requests), bytes: bytes(Number(row.after.up) + Number(row.after.down)) })
    : kind === "heavier" ? `${bytes(row.before.perCall?.total?.p50)} → ${bytes(row.after.perCall?.total?.p50)}`
      : kind === "slower" ? `${duration(row.before.latency?.p50)} → ${duration(row.after.latency?.p50)}` : "";
  const name = [h("b", { class: "c-method" }, String(row.method)), " ", h("span", { class: "t-template" }, String(row.template))];
  return h("li", { class: `news-${kind}` }, h("span", { class: `delta ${kind === "gone" || kind === "new" ? kind : "more"}` }, t(`compare.${kind}`)), " ",
    kind === "gone" ? h("span", {}, name) : h("a", { href: listAddress({ ...only(row.direction), api: apiName(row) }) }, name),
    h("small", { class: "quiet" }, ` ${row.host} ${figures}`));
}

/**
 * Draws them, if there is an earlier run to compare with.
 * @param {HTMLElement} element
 * @param {() => boolean} isCurrent
 */
export async function showNews(element, isCurrent) {
  const { files, previous } = await otherFiles();
  const file = files.find(({ id }) => id === previous);
  if (!isCurrent() || !file) return fill(element);
  const diff = await get("compare", { before: file.id });
  if (!isCurrent()) return;
  const news = newsOf(diff.apis ?? []);
  fill(element,
    h("div", { class: "overview-head" }, h("h2", {}, t("news.title", { name: fileName(file) })),
      h("a", { href: hashOf({ ...place(), page: "compare", id: null, comparison: { before: file.id } }) }, t("news.all"))),
    news.length === 0 ? h("p", { class: "quiet" }, t("news.none")) : h("ul", { class: "news" }, news.slice(0, most).map(line)),
    news.length > most && h("p", { class: "quiet" }, t("news.more", { n: number(news.length - most) })));
}
