// By what sums are grouped: how a group is named, and which requests it has.
import { only } from "./directions.js";
import { h } from "./dom.js";
import { apiName } from "./format.js";
import { t } from "./messages.js";
import { listAddress } from "./place.js";

/**
 * @typedef {import("./types.d.ts").Group} Group
 * @typedef {import("./types.d.ts").Filters} Filters
 * @typedef {{ rows: string, name: (group: Group) => string, filters: (group: Group) => Filters | null }} Grouping
 */

/**
 * A filter for this text alone; what a pattern could read as something else matches any character.
 * @param {string} key
 * @param {string} text
 */
export function exactly(key, text) {
  const pattern = text.replace(/["\\^.*+?()[\]{}|$]/g, (one) => "\"\\^[]".includes(one) ? "." : `[${one}]`);
  return `${key}:~"^${pattern}$"`;
}

/** Each grouping of the command: its rows in a response, and the name of one and its filter, if there is one. @type {Record<string, Grouping>} */
export const groupings = {
  api: { rows: "apis", name: apiName, filters: (group) => ({ api: apiName(group) }) },
  host: { rows: "hosts", name: ({ host }) => String(host), filters: ({ host }) => ({ host }) },
  path: {
    rows: "paths", name: ({ method, host, path }) => `${method} ${host}${path}`,
    filters: ({ method, host, path }) => ({ method, host, text: exactly("path", String(path)) }),
  },
  status: {
    rows: "statuses", name: ({ status }) => status === null ? t("filter.status.none") : String(status),
    filters: ({ status }) => ({ status: String(status ?? "none") }),
  },
  type: {
    rows: "types", name: ({ contentType }) => contentType || t("group.type.none"),
    filters: ({ contentType }) => contentType ? { type: contentType } : null,
  },
  method: { rows: "methods", name: ({ method }) => method || "–", filters: ({ method }) => method ? { method } : null },
  process: { rows: "processes", name: ({ process }) => process || "–", filters: ({ process }) => process ? { process } : null },
  device: {
    rows: "devices", name: ({ device, knownAs }) => [device || "–", knownAs].filter(Boolean).join(" · "),
    filters: ({ device }) => device ? { text: exactly("device", device) } : null,
  },
  network: {
    rows: "networks", name: ({ network }) => network || t("group.network.none"),
    filters: ({ network }) => network ? { text: `network:"${network}"` } : null,
  },
  direction: { rows: "directions", name: ({ direction }) => t(`direction.${direction}`), filters: ({ direction }) => ({ direction }) },
};

/**
 * The head of a group's row, which leads to its requests.
 * @param {string} by
 * @param {Group} group
 */
export function groupCell(by, group) {
  const filters = groupings[by].filters(group);
  const name = by === "api" || by === "path"
    ? [h("b", { class: "c-method" }, String(group.method)), " ", h("span", { class: "t-template" }, String(group.template ?? group.path))]
    : [groupings[by].name(group)];
  return h("th", { scope: "row", role: "rowheader", class: "t-api" },
    filters ? h("a", { href: listAddress({ ...only(group.direction), ...filters }) }, name) : h("span", {}, name),
    (by === "api" || by === "path") && h("small", {}, String(group.host)));
}
