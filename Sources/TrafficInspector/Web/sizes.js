// A message's size, part by part. Cookies are a share of the fields, and shown apart from them.
import { h } from "./dom.js";
import { bytes, exactBytes } from "./format.js";
import { named, t } from "./messages.js";

/** @typedef {import("./types.d.ts").Part} Part */

/** @type {Part[]} */
export const parts = ["startLine", "fields", "cookies", "interim", "body", "framing"];

/**
 * The parts that add up: fields without cookies.
 * @param {Partial<Record<Part, number | null>>} size
 * @returns {Record<Part, number | null>}
 */
export function apart(size) {
  const fields = size.fields ?? null;
  const cookies = size.cookies ?? null;
  return {
    startLine: size.startLine ?? null,
    fields: fields === null ? null : fields - (cookies ?? 0),
    cookies,
    interim: size.interim ?? null,
    body: size.body ?? null,
    framing: size.framing ?? null,
  };
}

/** @param {Part} part */
export function partName(part) {
  return t(`part.${part}`);
}

/**
 * @param {"up" | "down"} direction
 * @param {Record<Part, number | null>} size
 * @param {number} most the bytes that fill the whole width
 */
function bar(direction, size, most) {
  const known = parts.map((part) => ({ part, size: size[part] ?? 0 })).filter((entry) => entry.size > 0);
  const total = known.reduce((sum, entry) => sum + entry.size, 0);
  const text = known.map((entry) => `${partName(entry.part)} ${exactBytes(entry.size)}`).join(", ");
  const element = h("div", {
    class: "size-bar", role: "img",
    "aria-label": t("detail.sizeBar", { direction: t(`column.${direction}`), total: exactBytes(total), parts: text }),
  });
  for (const entry of known) {
    const segment = h("i", { class: `p-${entry.part}`, title: `${partName(entry.part)}: ${exactBytes(entry.size)}` });
    segment.style.setProperty("flex-grow", String(entry.size));
    element.append(segment);
  }
  element.style.setProperty("width", `${most > 0 ? Math.max(total > 0 ? 1 : 0, (total / most) * 100) : 0}%`);
  return h("div", { class: "size-row" },
    h("span", { class: "size-direction" }, t(`column.${direction}`)),
    h("div", { class: "size-track" }, element),
    h("b", { class: "size-total" }, bytes(total)));
}

/**
 * The mark for the evidence of a number.
 * @param {string} evidence
 * @param {number} [margin]
 */
export function evidenceMark(evidence, margin) {
  const name = named("evidence.short", evidence);
  return h("span", { class: "evidence", title: named("evidence", evidence) },
    h("span", { class: `mark e-${evidence}`, "aria-hidden": "true" }), name,
    margin ? ` (${t("evidence.margin", { n: exactBytes(margin) })})` : null);
}

/**
 * Whether any byte of a request was sent; true if that is unknown.
 * @param {{ total: number | null }} request
 */
export function wasSent({ total }) {
  return total !== 0;
}

/** @param {import("./types.d.ts").Exchange} exchange */
export function sizes(exchange) {
  if (!wasSent(exchange.request) && !exchange.response) return h("p", { class: "quiet nothing-sent" }, t("size.nothing"));
  const up = apart(exchange.request);
  const down = exchange.response ? apart(exchange.response) : null;
  const sum = (/** @type {Record<Part, number | null>} */ size) =>
    parts.reduce((total, part) => total + (size[part] ?? 0), 0);
  const most = Math.max(sum(up), down ? sum(down) : 0);
  /**
   * @param {import("./types.d.ts").Message | null} message
   * @param {Record<Part, number | null> | null} size
   * @param {Part} part
   */
  const cell = (message, size, part) => {
    if (!message || !size) return h("td", {}, "–");
    const evidence = message.evidenceByPart?.[part];
    return h("td", {}, exactBytes(size[part]), evidence && evidence !== "captured" && evidenceMark(evidence));
  };
  // Parts without a byte are named in one line.
  const empty = parts.filter((part) => up[part] === 0 && (down === null || down[part] === 0));
  const rows = parts.filter((part) => !empty.includes(part)).map((part) =>
    h("tr", {},
      h("th", { scope: "row" }, h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), partName(part)),
      cell(exchange.request, up, part), cell(exchange.response, down, part)));
  const total = (/** @type {import("./types.d.ts").Message | null} */ message) =>
    message ? h("td", {}, exactBytes(message.total), evidenceMark(message.evidence, message.margin)) : h("td", {}, "–");
  return h("div", { class: "sizes" }, bar("up", up, most), down && bar("down", down, most),
    h("table", { class: "parts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
        h("th", { scope: "col" }, t("column.down")))),
      h("tbody", {}, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("part.total")), total(exchange.request),
        total(exchange.response)))),
    empty.length > 0 && h("p", { class: "quiet empty-parts" }, t("part.none", { parts: empty.map(partName).join(", ") })));
}

/** The part colours by name, for the help. */
export function legend() {
  return h("ul", { class: "legend" }, parts.map((part) =>
    h("li", {}, h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), partName(part))));
}
