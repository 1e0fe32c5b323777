// Connections, the newest first, each a bar of what its payload is made of; one of them opened.
import { get } from "./api.js";
import { directionChoice, directionMark } from "./directions.js";
import { fill, h } from "./dom.js";
import { bytes, clock, duration, number } from "./format.js";
import { ledger, ledgerBar, ledgerLegend } from "./ledger.js";
import { t } from "./messages.js";
import { place } from "./place.js";

/** @typedef {import("./types.d.ts").Connection} Connection */

const names = ["id", "remote", "exchanges", "ledger", "up", "down", "roundTrip"];
const first = 100;

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeConnections() {
  const title = h("h1", {});
  const text = h("p", { class: "quiet" });
  const directions = h("div", { class: "segments", hidden: true });
  const body = h("div", { class: "page-body" });
  const scales = h("div", { class: "segments", role: "group" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, text, directions, scales), body);
  /** @type {Connection[]} */
  let connections = [];
  /** @type {string | null} */
  let cursor = null;
  /** The connection that is opened. @type {number | null} */
  let opened = null;
  /** Its view, made again when the connection has changed. @type {{ of: string, element: HTMLElement } | null} */
  let inside = null;
  let age = 0;
  /** Whether the bars are as long as their bytes, not of one length. */
  let toScale = localStorage.getItem("wireweight.connections") === "scale";

  /** @param {Connection} one */
  function openedLedger(one) {
    const of = JSON.stringify(one) + document.documentElement.lang;
    if (inside?.of !== of) inside = { of, element: ledger(one) };
    return inside.element;
  }

  /** @param {Connection} one */
  const weight = (one) => one.payload ? one.payload.up + one.payload.down : one.messages.up + one.messages.down;

  /**
   * @param {Connection} one
   * @param {number} most the bytes of the longest bar
   */
  function bar(one, most) {
    const element = ledgerBar(one);
    if (toScale) element.style.setProperty("width", `${most > 0 ? (weight(one) / most) * 100 : 0}%`);
    return element;
  }

  /**
   * @param {Connection} one
   * @param {number} most
   */
  function rows(one, most) {
    const isOpened = one.id === opened;
    const life = one.closed === null ? t("connections.open")
      : duration(one.opened === null ? null : one.closed - one.opened);
    const about = [one.protocol, one.tls?.version, life, one.process ? `${one.process} (${one.pid})` : null];
    return [
      h("tr", { class: isOpened ? "opened" : null, title: `${clock(one.opened, true)} – ${clock(one.closed, true)}` },
        h("th", { scope: "row", class: "t-id" }, one.id),
        h("td", { class: "t-remote" }, h("button", {
          type: "button", class: "toggle", "data-connection": one.id, "aria-expanded": String(isOpened),
          title: t("connections.toggle", { n: one.id }),
          click: () => {
            opened = isOpened ? null : one.id;
            draw();
          },
        }, one.remote ?? "–"), directionMark(one.direction), h("small", {}, about.filter(Boolean).join(" · "))),
        h("td", { class: "t-exchanges" }, number(one.exchanges)),
        h("td", { class: "t-ledger" }, bar(one, most)),
        h("td", { class: "t-up" }, bytes(one.payload?.up ?? null)), h("td", { class: "t-down" }, bytes(one.payload?.down ?? null)),
        h("td", { class: "t-roundTrip" }, duration(one.roundTrip))),
      isOpened && h("tr", { class: "opened-ledger" }, h("td", { colspan: names.length }, openedLedger(one))),
    ];
  }

  function draw() {
    if (connections.length === 0) return fill(body, h("p", { class: "empty" }, t("connections.empty")));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.connection : undefined;
    const most = Math.max(...connections.map(weight));
    fill(body, ledgerLegend(connections), h("table", { class: "table connections" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: `t-${name}` }, t(`connections.${name}`))))),
      h("tbody", {}, connections.flatMap((one) => rows(one, most)))),
    cursor && h("button", { type: "button", class: "button wide", click: () => void load(true) }, t("connections.more")));
    if (focused) /** @type {HTMLElement | null} */ (body.querySelector(`[data-connection="${focused}"]`))?.focus();
  }

  function choice() {
    scales.setAttribute("aria-label", t("connections.scale"));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.scale : undefined;
    fill(scales, ["share", "bytes"].map((name) => h("button", {
      type: "button", "data-scale": name, "aria-pressed": String(toScale === (name === "bytes")), click: () => {
        toScale = name === "bytes";
        localStorage.setItem("wireweight.connections", toScale ? "scale" : "share");
        choice();
        draw();
      },
    }, t(`connections.scale.${name}`))));
    if (focused) /** @type {HTMLElement | null} */ (scales.querySelector(`[data-scale="${focused}"]`))?.focus();
  }

  /** @param {boolean} [more] */
  async function load(more = false) {
    const mine = ++age;
    try {
      const page = await get("connections", { cursor: more ? cursor : null, limit: first, direction: place().filters.direction });
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
      directionChoice(directions, true);
      choice();
      void load();
    },
    live() {
      // Keep the rows that were read further down.
      if (connections.length <= first) void load();
    },
    leave() {
      age += 1;
    },
  };
}
