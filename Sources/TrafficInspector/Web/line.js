// One row of the list: its cells, in the order of the columns.
import { columns } from "./columns.js";
import { directionMark } from "./directions.js";
import { fill, h } from "./dom.js";
import { bytes, duration, shortType, statusClass, statusText, weightShare } from "./format.js";
import { slowName } from "./limits.js";
import { spoken, t } from "./messages.js";
import { atLastSegment, pathPieces, readable } from "./paths.js";
import { phaseBars } from "./phases.js";

/** @typedef {import("./types.d.ts").Row} Row */

/** @typedef {Partial<Record<import("./types.d.ts").Direction, { duration: number | null, bytes: number | null }>>} Limits */

/**
 * @param {Row} row
 * @param {string | undefined} note empty for a mark without one
 */
function pathOf({ path, query, template }, note) {
  const { before, last } = atLastSegment(pathPieces(path, template));
  const shown = (/** @type {typeof last} */ pieces) => pieces.map(({ text, isParameter }) => isParameter ? h("span", { class: "path-id" }, text) : text);
  return [note !== undefined && h("span", { class: "flag", role: "img", "aria-label": t("mark.marked"), title: note || t("mark.marked") }),
  before.length > 0 && h("span", { class: "path-before" }, shown(before)), h("span", { class: "path-last" }, shown(last)),
  query && h("span", { class: "path-query" }, `?${readable(query)}`), note && h("span", { class: "row-note" }, note)];
}

export class Line {
  /** @type {Row | undefined} */ row;
  index = -1;
  /** Whether the row may look different by now, though it is the same. */
  isOld = false;
  /** What the cells show, as JSON; null of a line that shows nothing. @type {string | null} */
  #shown = null;
  #order = "";

  constructor() {
    this.cells = columns.map(({ name }) => h("div", { role: "gridcell", class: `cell c-${name}` }));
    this.bar = h("span", { class: "bar" });
    this.cells[8].append(this.bar);
    this.mark = h("span", { class: "mark" });
    this.cells[9].append(this.mark);
    this.element = h("div", { role: "row", class: "row" });
  }

  /**
   * Puts the cells in the order of the columns.
   * @param {string[]} order
   */
  arrange(order) {
    if (order.join() === this.#order) return;
    this.#order = order.join();
    this.element.replaceChildren(...order.map((name, index) => {
      const cell = this.cells[columns.findIndex((column) => column.name === name)];
      cell.setAttribute("aria-colindex", String(index + 1));
      return cell;
    }));
  }

  /**
   * @param {Row | undefined} row
   * @param {Limits} limits what is slow and what is heavy among all that is filtered
   * @param {import("./limits.js").Slow} slowAPIs what is slow for its API, where that is known
   * @param {string | undefined} note of its mark, if it has one
   */
  show(row, limits, slowAPIs, note) {
    if (row === this.row && this.#shown !== null && !this.isOld) return;
    this.row = row;
    this.isOld = false;
    const [status, method, host, path, type, up, down, time] = this.cells;
    const { duration: usual, bytes: heavy = null } = row ? limits[row.direction] ?? {} : {};
    const own = row && slowAPIs.get(slowName({ ...row, host: row.authority }));
    const slow = own ?? usual ?? null;
    const isSlow = row !== undefined && slow !== null && row.duration !== null && row.duration > slow;
    const isHeavy = row !== undefined && heavy !== null && (row.up ?? 0) + (row.down ?? 0) > heavy;
    // A list that is read again has new rows with the same values.
    const next = JSON.stringify([row ?? null, isSlow && (own === undefined ? "all" : "own"), isHeavy, note ?? null, spoken()]);
    if (next === this.#shown) return;
    this.#shown = next;
    this.element.className = row
      ? `row set ${statusClass(row)}${isSlow ? " slow" : ""}${isHeavy ? " heavy" : ""}` : "row empty";
    if (!row) {
      this.element.removeAttribute("id");
      for (const cell of this.cells.slice(0, 8)) cell.textContent = "";
      for (const cell of [up, down]) cell.style.setProperty("--weight", "0");
      this.bar.hidden = true;
      this.mark.className = "mark";
      return;
    }
    this.element.id = `row-${row.id}`;
    status.textContent = statusText(row);
    const state = row.state === "completed" ? "" : t(`state.${row.state}`);
    status.title = row.status === null && row.state !== "running" && row.state !== "incomplete"
      ? [row.down ? null : t("noResponse"), row.error ?? (state || null)].filter((part) => part).join(": ") : state;
    if (row.status === null) status.setAttribute("aria-label", row.state === "running" ? state : status.title);
    else status.removeAttribute("aria-label");
    fill(method, row.method, directionMark(row.direction));
    method.classList.toggle("usual", row.method === "GET");
    host.textContent = row.authority;
    host.title = row.authority;
    fill(path, pathOf(row, note));
    path.title = row.error ? `${row.url}\n${row.error}` : row.url;
    type.textContent = row.status !== null || row.state === "running" ? shortType(row.type)
      : t(row.state === "incomplete" || row.down ? "response.unknown" : "noResponse");
    up.textContent = bytes(row.up);
    down.textContent = bytes(row.down);
    for (const [cell, size] of /** @type {const} */ ([[up, row.up], [down, row.down]])) {
      cell.style.setProperty("--weight", weightShare(size).toFixed(3));
      const isLarger = isHeavy && (size ?? 0) * 2 >= (row.up ?? 0) + (row.down ?? 0);
      cell.classList.toggle("much", isLarger);
      cell.title = isLarger ? t("list.heavy") : "";
    }
    time.title = isSlow ? t(own === undefined ? "list.slow" : "list.slow.api") : "";
    time.textContent = row.state === "running" ? t("state.running") : duration(row.duration);
    this.bar.hidden = false;
    this.bar.replaceChildren(...phaseBars(row).map(({ bar }) => bar));
    // A request that was never sent has no captured size.
    const nothing = row.up === 0 && row.down === null && row.state !== "running";
    this.mark.className = nothing ? "mark e-nothing" : `mark e-${row.evidence}`;
    this.mark.title = nothing ? t("size.nothing") : t(`evidence.${row.evidence}`);
    this.mark.setAttribute("role", "img");
    this.mark.setAttribute("aria-label", nothing ? t("size.none") : t(`evidence.short.${row.evidence}`));
  }

  /** Takes the line out of sight. */
  hide() {
    this.element.hidden = true;
    this.element.removeAttribute("id");
    this.element.classList.remove("set");
    this.row = undefined;
    this.#shown = null;
  }

  /**
   * @param {number} from
   * @param {number} span
   * @param {boolean} inTime
   */
  draw(from, span, inTime) {
    if (!this.row) return;
    const { start, duration: whole, state } = this.row;
    const left = inTime ? (start - from) / span : 0;
    const width = state === "running" ? 1 - left : (whole ?? 0) / span;
    const style = this.bar.style;
    style.setProperty("left", `${(Math.max(0, left) * 100).toFixed(2)}%`);
    style.setProperty("width", `${(Math.min(1, Math.max(0, width)) * 100).toFixed(2)}%`);
  }
}
