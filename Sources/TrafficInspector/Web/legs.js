// The two legs of an exchange that a proxy passed on: the device's and the server's, side by side.
import { signed } from "./delta.js";
import { h } from "./dom.js";
import { duration, exactBytes } from "./format.js";
import { t } from "./messages.js";
import { partName, parts } from "./sizes.js";

/**
 * @typedef {object} LegRow
 * @property {string} name
 * @property {number | null} device
 * @property {number | null} server
 * @property {boolean} isTime
 * @property {boolean} isPart a share of the row above
 */

/**
 * The figures of both legs: of a message's parts those that differ, of the phases those that took time.
 * @param {import("./types.d.ts").Exchange} exchange
 * @param {import("./types.d.ts").ServerLeg} leg
 * @returns {LegRow[]}
 */
export function legRows(exchange, leg) {
  /** @type {LegRow[]} */
  const rows = [];
  /** @param {string} name @param {number | null | undefined} device @param {number | null | undefined} server */
  const add = (name, device, server, isTime = false, isPart = false) =>
    rows.push({ name, device: device ?? null, server: server ?? null, isTime, isPart });
  for (const message of /** @type {("request" | "response")[]} */ (["request", "response"])) {
    const [device, server] = [exchange[message], leg[message]];
    add(t(`legs.${message}`), device?.total, server?.total);
    for (const part of parts) {
      if (device && server && device[part] !== server[part]) add(partName(part), device[part], server[part], false, true);
    }
  }
  for (const way of /** @type {("up" | "down")[]} */ (["up", "down"])) {
    if (exchange.overhead?.[way] || leg.overhead?.[way]) add(`${t("legs.overhead")}, ${t(`column.${way}`)}`, exchange.overhead?.[way], leg.overhead?.[way]);
  }
  for (const phase of Object.keys(exchange.timings)) {
    const [device, server] = [exchange.timings[phase], leg.timings[phase]];
    if (phase === "total" || device || server) add(t(`phase.${phase}`), device, server, true);
  }
  return rows;
}

/** @param {import("./types.d.ts").Exchange} exchange */
export function legs(exchange) {
  const leg = exchange.serverLeg;
  if (!leg) return null;
  /** @param {number | null} value @param {boolean} isTime */
  const figure = (value, isTime) => value === null ? "–" : isTime ? duration(value) : exactBytes(value);
  /** @param {LegRow} row */
  const difference = ({ device, server, isTime }) => {
    if (device === null || server === null || device === server) return "";
    return signed(server - device, (value) => figure(value, isTime));
  };
  return h("section", { class: "legs" }, h("h3", {}, t("legs.title")),
    h("table", { class: "parts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("legs.device")),
        h("th", { scope: "col" }, t("legs.server")), h("th", { scope: "col" }, t("legs.difference")))),
      h("tbody", {}, legRows(exchange, leg).map((row) =>
        h("tr", { class: row.isPart ? "of-above" : null }, h("th", { scope: "row" }, row.name),
          h("td", {}, figure(row.device, row.isTime)), h("td", {}, figure(row.server, row.isTime)),
          h("td", {}, difference(row)))))),
    h("p", { class: "quiet" }, t("legs.place", {
      connection: leg.connection === null ? "–" : String(leg.connection), address: leg.remoteAddress ?? "–",
    }), leg.outcome === exchange.outcome ? null : ` ${leg.error ?? leg.outcome}`));
}
