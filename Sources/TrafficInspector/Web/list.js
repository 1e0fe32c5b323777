// The list: a hundred thousand rows, of which only the visible ones are in the document.
import { directionMark } from "./directions.js";
import { fill, h, icon } from "./dom.js";
import { bytes, duration, number, shortType, statusClass, statusText, weightShare } from "./format.js";
import { t } from "./messages.js";
import { pathPieces, readable } from "./paths.js";
import { phaseBars } from "./phases.js";
import { go, place } from "./place.js";
import { Rows } from "./rows.js";

/** @typedef {import("./types.d.ts").Row} Row */

/** Columns, and what each sorts by; numbers sort the largest first at the first click. */
const columns = [
  { name: "status", sort: "status" },
  { name: "method", sort: "method" },
  { name: "host", sort: "host" },
  { name: "path", sort: "path" },
  { name: "type", sort: "type" },
  { name: "up", sort: "up", large: true },
  { name: "down", sort: "down", large: true },
  { name: "duration", sort: "duration", large: true },
  { name: "waterfall", sort: "start", large: true },
  { name: "evidence", sort: null },
];

/** Columns that can be left out; the path says which exchange it is. */
export const optionalColumns = columns.map(({ name }) => name).filter((name) => name !== "path");

/** @typedef {Partial<Record<import("./types.d.ts").Direction, { duration: number | null, bytes: number | null }>>} Limits */

/** @param {Row} row */
function pathOf({ path, query, template }) {
  return [...pathPieces(path, template).map(({ text, isParameter }) =>
    isParameter ? h("span", { class: "path-id" }, text) : text),
  query && h("span", { class: "path-query" }, `?${readable(query)}`)];
}

class Line {
  /** @type {Row | undefined} */ row;
  index = -1;

  constructor() {
    this.cells = columns.map(({ name }) => h("div", { role: "gridcell", class: `cell c-${name}` }));
    this.bar = h("span", { class: "bar" });
    this.cells[8].append(this.bar);
    this.mark = h("span", { class: "mark" });
    this.cells[9].append(this.mark);
    this.element = h("div", { role: "row", class: "row" }, ...this.cells);
  }

  /**
   * @param {Row | undefined} row
   * @param {Limits} limits what is slow and what is heavy
   */
  show(row, limits) {
    if (row === this.row && this.element.classList.contains("set")) return;
    this.row = row;
    const [status, method, host, path, type, up, down, time] = this.cells;
    const { duration: slow = null, bytes: heavy = null } = row ? limits[row.direction] ?? {} : {};
    const isSlow = row !== undefined && slow !== null && row.duration !== null && row.duration > slow;
    const isHeavy = row !== undefined && heavy !== null && (row.up ?? 0) + (row.down ?? 0) > heavy;
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
    fill(path, pathOf(row));
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
    time.title = isSlow ? t("list.slow") : "";
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

/**
 * @param {(id: number | null) => void} open
 * @param {() => import("./dom.js").Child[]} nothing the text for a store without exchanges
 */
export function makeList(open, nothing) {
  const rows = new Rows(changed);
  /** @type {Line[]} */
  const lines = [];
  let active = -1;
  /** @type {number | null} */
  let activeID = null;
  let scheduled = false;
  let follow = false;
  /** @type {Limits} */
  let limits = {};
  /** Whether the chosen row is kept visible: the address named it, and the user has not scrolled since. */
  let pinned = false;

  const head = h("div", { role: "row", class: "head", "aria-rowindex": 1 });
  const spacer = h("div", { class: "spacer", role: "presentation" });
  const canvas = h("div", { class: "canvas", role: "rowgroup" }, spacer);
  const note = h("div", { class: "note", role: "status" });
  const progress = h("progress", { max: 1 });
  const body = h("div", {
    role: "grid", id: "grid", class: "grid", tabindex: 0, "aria-colcount": columns.length, keydown: key,
  }, h("div", { role: "rowgroup", class: "head-group" }, head), canvas);
  const fresh = h("button", { type: "button", class: "fresh", hidden: true, click: jump });
  const element = h("section", { class: "list" }, body, note, fresh);
  body.addEventListener("scroll", schedule, { passive: true });
  new ResizeObserver(schedule).observe(body);
  for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    body.addEventListener(event, () => {
      pinned = false;
    }, { passive: true });
  }
  canvas.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest(".row") : null;
    const line = lines.find((candidate) => candidate.element === target);
    if (!line?.row) return;
    select(line.index, true);
    body.focus({ preventScroll: true });
  });

  function words() {
    body.setAttribute("aria-label", t("list.label"));
    progress.setAttribute("aria-label", t("list.searched"));
    const { sort } = place();
    fill(head, columns.map((column, index) => {
      const key = sort.replace(/^-/, "");
      const sorted = column.sort === key ? (sort.startsWith("-") ? "descending" : "ascending") : null;
      const label = t(`column.${column.name}`);
      return h("div", {
        role: "columnheader", class: `cell c-${column.name}`, "aria-colindex": index + 1,
        "aria-sort": sorted ?? (column.sort ? "none" : null),
      }, column.sort
        ? h("button", {
          type: "button", class: "sort", tabindex: 0, title: `${label}: ${t("column.sort")}`, click: () => order(column),
        }, label, sorted && h("span", { class: `arrow ${sorted}`, "aria-hidden": "true" }))
        : h("span", { class: "quiet", title: label }, label));
    }));
    for (const line of lines) line.element.classList.remove("set");
    schedule();
  }

  /** @param {{ sort: string | null, large?: boolean }} column */
  function order({ sort, large }) {
    if (!sort) return;
    const now = place().sort;
    const first = large ? `-${sort}` : sort;
    const second = large ? sort : `-${sort}`;
    go({ sort: now === first ? second : now === second && sort !== "start" ? "-start" : first });
  }

  const rowHeight = () => parseFloat(getComputedStyle(body).getPropertyValue("--row")) || 28;
  let height = 28;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(render);
  }

  /** Keeps the row that the address names visible, even if the parts above the list appear later. */
  function reveal() {
    if (!pinned || active < 0) return;
    const inSight = body.clientHeight - head.offsetHeight;
    const top = active * height;
    if (top >= body.scrollTop && top + height <= body.scrollTop + inSight) return;
    body.scrollTop = Math.max(0, top - (inSight - height) / 2);
  }

  function render() {
    scheduled = false;
    if (!element.isConnected) return;
    height = rowHeight();
    const count = rows.count;
    spacer.style.setProperty("height", `${count * height}px`);
    reveal();
    body.setAttribute("aria-rowcount", String(count + 1));
    const top = body.scrollTop;
    const inSight = Math.max(0, body.clientHeight - head.offsetHeight);
    const first = Math.max(0, Math.floor(top / height) - 3);
    const last = Math.min(count - 1, Math.ceil((top + inSight) / height) + 3);
    const wanted = Math.max(0, last - first + 1);
    while (lines.length < wanted) {
      const line = new Line();
      lines.push(line);
      canvas.append(line.element);
    }
    // A row keeps its element while it is visible: its index modulo the number of elements.
    for (const line of lines) if (line.index < first || line.index > last) line.index = -1;
    const size = lines.length;
    let begin = Infinity;
    let end = -Infinity;
    let longest = 0;
    for (let index = first; index <= last; index += 1) {
      const line = lines[index % size];
      line.index = index;
      const row = rows.at(index);
      line.show(row, limits);
      line.element.style.setProperty("transform", `translateY(${index * height}px)`);
      line.element.setAttribute("aria-rowindex", String(index + 2));
      line.element.hidden = false;
      line.element.setAttribute("aria-selected", String(index === active));
      if (row) {
        begin = Math.min(begin, row.start);
        end = Math.max(end, row.start + (row.duration ?? 0));
        longest = Math.max(longest, row.duration ?? 0);
      }
    }
    for (const line of lines) {
      if (line.index < 0) {
        line.element.hidden = true;
        line.row = undefined;
        line.element.removeAttribute("id");
        line.element.classList.remove("set");
      }
    }
    const inTime = place().sort.endsWith("start");
    const span = Math.max(inTime ? end - begin : longest, 0.001);
    for (const line of lines) if (line.index >= 0) line.draw(begin, span, inTime);
    rows.need(first, last);
    const current = active >= 0 ? lines[active % Math.max(1, size)] : undefined;
    if (current?.row && current.index === active) body.setAttribute("aria-activedescendant", current.element.id);
    else body.removeAttribute("aria-activedescendant");
    fresh.hidden = !(rows.waiting > 0) || !rows.view;
    if (!fresh.hidden) {
      fill(fresh, icon("up"), rows.unsure ? t("list.again") : t("list.new", { n: number(rows.waiting) }));
    }
    element.dispatchEvent(new CustomEvent("shown"));
  }

  /** @param {{ added: number, made: boolean }} change */
  function changed({ added, made }) {
    const sort = place().sort;
    const top = body.scrollTop;
    if (added && sort === "-start") {
      if (active >= 0) active += added;
      // New rows do not move what the user reads further down, or has open.
      if (top >= height || place().id !== null) {
        spacer.style.setProperty("height", `${rows.count * height}px`);
        body.scrollTop = top + added * height;
      }
    }
    if (made && activeID !== null) active = rows.indexOf(activeID);
    if (rows.waiting > 0 && top < height * 2) rows.remake();
    if (follow && sort === "start" && (added || made)) {
      spacer.style.setProperty("height", `${rows.count * height}px`);
      body.scrollTop = body.scrollHeight;
    }
    notice();
    schedule();
  }

  function notice() {
    element.classList.toggle("stale", rows.isSearching && rows.isEarlier);
    body.setAttribute("aria-busy", String(rows.isSearching));
    const empty = rows.view !== null && rows.count === 0;
    element.classList.toggle("nothing", empty || rows.error !== null);
    // Over rows the notes are at the bottom.
    note.classList.toggle("low", rows.view !== null && rows.count > 0);
    progress.value = rows.isEarlier ? 0 : rows.searched;
    if (rows.isSearching) {
      // Only the bar changes while the text is there.
      if (!note.contains(progress)) fill(note, t("list.searching"), progress);
    } else if (rows.error) fill(note, String(/** @type {Error} */ (rows.error).message));
    else if (empty) fill(note, Object.keys(place().filters).length ? t("list.empty") : nothing());
    else fill(note);
  }

  function jump() {
    body.scrollTop = 0;
    void rows.make();
  }

  /**
   * @param {number} index
   * @param {boolean} opening
   */
  function select(index, opening) {
    if (rows.count === 0) return;
    active = Math.max(0, Math.min(rows.count - 1, index));
    const top = active * height;
    const shown = body.clientHeight - head.offsetHeight;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + height > body.scrollTop + shown) body.scrollTop = top + height - shown;
    const row = rows.at(active);
    activeID = row?.id ?? null;
    if (row && opening) open(row.id);
    schedule();
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target !== body || event.ctrlKey || event.metaKey || event.altKey) return;
    const screen = Math.max(1, Math.floor((body.clientHeight - head.offsetHeight) / height) - 1);
    const opened = place().id !== null;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => select(active + 1, opened),
      ArrowUp: () => select(active - 1, opened),
      PageDown: () => select(active + screen, opened),
      PageUp: () => select(active - screen, opened),
      Home: () => select(0, opened),
      End: () => select(rows.count - 1, opened),
      Enter: () => select(Math.max(0, active), true),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  return {
    element,
    rows,
    words,
    /**
     * Columns that are left out, by choice or because they say nothing, and how high the rows are.
     * @param {string[]} hidden
     * @param {boolean} dense
     */
    look(hidden, dense) {
      for (const name of optionalColumns) body.classList.toggle(`no-${name}`, hidden.includes(name));
      body.classList.toggle("dense", dense);
      schedule();
    },
    /** @param {Limits} next */
    mark(next) {
      if (JSON.stringify(next) === JSON.stringify(limits)) return;
      limits = next;
      for (const line of lines) line.element.classList.remove("set");
      schedule();
    },
    notice,
    focus: () => body.focus({ preventScroll: true }),
    get follows() {
      return follow;
    },
    /** @param {boolean} on */
    follow(on) {
      follow = on;
      if (on) body.scrollTop = body.scrollHeight;
    },
    /** @param {import("./types.d.ts").Place} where */
    show(where) {
      let isMissing = false;
      if (where.id !== null && where.id !== activeID) {
        activeID = where.id;
        active = rows.indexOf(where.id);
        isMissing = active < 0;
        pinned = true;
      }
      rows.ask(where.filters, where.sort, where.id, isMissing);
      words();
      notice();
    },
    /** Gives up a search that is under way; returns whether there was one. */
    stop() {
      if (!rows.isSearching) return false;
      rows.stop(new Error(t("list.stopped")));
      return true;
    },
    /** @param {number} step */
    step(step) {
      select(active + step, true);
    },
  };
}
