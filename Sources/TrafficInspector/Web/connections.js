// Connections, one bar each, from open to close.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { bytes, clock, duration } from "./format.js";
import { t } from "./messages.js";

/** @typedef {import("./types.d.ts").Connection} Connection */

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeConnections() {
  const title = h("h1", {});
  const text = h("p", { class: "quiet" });
  const body = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, text), body);
  /** @type {Connection[]} */
  let connections = [];
  /** @type {string | null} */
  let cursor = null;
  let age = 0;

  function draw() {
    if (connections.length === 0) return fill(body, h("p", { class: "empty" }, t("connections.empty")));
    const opened = connections.map((one) => one.opened ?? Infinity).filter(Number.isFinite);
    const begin = opened.length ? Math.min(...opened) : 0;
    const end = connections.reduce((end, one) => Math.max(end, one.closed ?? one.opened ?? 0), begin + 1);
    const names = ["id", "remote", "life", "sent", "received", "retransmitted", "roundTrip"];
    fill(body, h("table", { class: "table connections" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: `t-${name}` }, t(`connections.${name}`))))),
      h("tbody", {}, connections.map((one) => {
        const bar = h("i", { class: one.closed === null ? "open" : "" });
        const from = one.opened ?? begin;
        const to = one.closed ?? end;
        bar.style.setProperty("left", `${((from - begin) / (end - begin)) * 100}%`);
        bar.style.setProperty("width", `${Math.max(0.4, ((to - from) / (end - begin)) * 100)}%`);
        const life = one.closed === null ? t("connections.open") : duration(to - from);
        return h("tr", {},
          h("th", { scope: "row", class: "t-id" }, one.id),
          h("td", { class: "t-remote" }, one.remote ?? "–",
            h("small", {}, [one.process ? `${one.process} (${one.pid})` : null, one.local].filter(Boolean).join(" · "))),
          h("td", { class: "t-life" }, h("span", { class: "life", title: `${clock(one.opened, true)} – ${clock(one.closed, true)}` }, bar),
            h("small", {}, life)),
          h("td", { class: "t-sent" }, bytes(one.sent)), h("td", { class: "t-received" }, bytes(one.received)),
          h("td", { class: "t-retransmitted" }, one.retransmitted ? bytes(one.retransmitted) : "–"),
          h("td", { class: "t-roundTrip" }, duration(one.roundTrip)));
      }))), cursor && h("button", { type: "button", class: "button wide", click: () => void load(true) }, t("connections.more")));
  }

  /** @param {boolean} [more] */
  async function load(more = false) {
    const mine = ++age;
    try {
      const page = await get("connections", more ? { cursor, limit: 200 } : { limit: 200 });
      if (mine !== age) return;
      connections = more ? [...connections, ...page.connections] : page.connections;
      cursor = page.cursor;
      draw();
    } catch (error) {
      if (mine === age) fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
    }
  }

  return {
    element,
    show() {
      fill(title, t("connections.title"));
      fill(text, t("connections.text"));
      void load();
    },
    live() {
      if (connections.length <= 200) void load();
    },
    leave() {
      age += 1;
    },
  };
}
