// The list: a hundred thousand rows, of which only the visible ones are in the document.
import { columnEdge, columnHandles } from "./column-handles.js";
import { Columns, columns, optionalColumns } from "./columns.js";
import { fill, h, icon, refill, say } from "./dom.js";
import { number } from "./format.js";
import { Line } from "./line.js";
import { noteOf, watchMarks } from "./marks.js";
import { spoken, t } from "./messages.js";
import { mistake } from "./mistake.js";
import { go, place } from "./place.js";
import { Rows } from "./rows.js";
import { mostChosen, Selection } from "./selection.js";

/** @typedef {import("./types.d.ts").Row} Row */
/** @typedef {import("./line.js").Limits} Limits */

/**
 * @param {object} actions
 * @param {(id: number | null) => void} actions.open
 * @param {() => import("./dom.js").Child[]} actions.nothing the text for a store without exchanges
 * @param {() => void} actions.chosen is called when other rows are chosen
 * @param {(x: number, y: number) => void} actions.context opens the menu of the chosen rows
 */
export function makeList({ open, nothing, chosen, context }) {
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
  /** From when rows are slow for their APIs. @type {import("./limits.js").Slow} */
  let slow = new Map();
  /** Whether the chosen row is kept visible: the address named it, and the user has not scrolled since. */
  let pinned = false;
  const selection = new Selection();
  /** The filters under which rows were chosen. */
  let chosenUnder = "";
  const order = new Columns();

  const head = h("div", { role: "row", class: "head", "aria-rowindex": 1 });
  const spacer = h("div", { class: "spacer", role: "presentation" });
  const canvas = h("div", { class: "canvas", role: "rowgroup" }, spacer);
  const note = h("div", { class: "note", role: "status" });
  const progress = h("progress", { max: 1 });
  const body = h("div", {
    role: "grid", id: "grid", class: "grid", tabindex: 0, "aria-colcount": columns.length, "aria-multiselectable": "true", keydown: key,
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
    if (event.shiftKey) void extend(line.index);
    else if (event.ctrlKey || event.metaKey) toggle(line.index);
    else {
      unchoose();
      select(line.index, true);
    }
    body.focus({ preventScroll: true });
  });
  canvas.addEventListener("mousedown", (event) => {
    // A range of rows is no text to select.
    if (event.shiftKey) event.preventDefault();
  });
  canvas.addEventListener("contextmenu", (event) => {
    const target = event.target instanceof Element ? event.target.closest(".row") : null;
    const line = lines.find((candidate) => candidate.element === target);
    if (!line?.row) return;
    event.preventDefault();
    if (!selection.has(line.row.id)) {
      unchoose();
      select(line.index, place().id !== null);
    }
    context(event.clientX, event.clientY);
  });
  watchMarks(() => {
    if (place().filters.marked) rows.remake();
    renew();
  });

  function choiceChanged() {
    chosenUnder = JSON.stringify(place().filters);
    chosen();
    schedule();
  }

  function unchoose() {
    selection.anchor = activeID;
    if (selection.clear()) choiceChanged();
  }

  /** @param {boolean} fits */
  function refuse(fits) {
    if (!fits) say(t("chosen.most", { n: number(mostChosen) }));
  }

  /**
   * Adds a row to those that are chosen, or takes it away; the first one brings the row that was active with it.
   * @param {number} index
   */
  function toggle(index) {
    const current = rows.at(active);
    if (selection.size === 0 && current && active !== index) selection.add([current]);
    select(index, false);
    const row = rows.at(index);
    if (row) refuse(selection.toggle(row));
    choiceChanged();
  }

  /**
   * Chooses all rows from the one where the choice began to this one.
   * @param {number} to
   */
  async function extend(to) {
    const from = selection.anchor === null ? active : rows.indexOf(selection.anchor);
    selection.anchor ??= activeID;
    select(to, false);
    const [first, last] = [Math.max(0, Math.min(from < 0 ? to : from, active)), Math.max(from, active)];
    await choose(first, last);
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  async function choose(first, last) {
    const anchor = selection.anchor;
    const read = await rows.read(first, Math.min(last, first + mostChosen - 1));
    // Another choice may have been made meanwhile.
    if (selection.anchor !== anchor) return;
    selection.set(read);
    refuse(last - first < mostChosen);
    choiceChanged();
  }

  function words() {
    body.setAttribute("aria-label", t("list.label"));
    progress.setAttribute("aria-label", t("list.searched"));
    const { sort } = place();
    order.show(body);
    refill(head, [order.order, sort, spoken()], () => order.order.map((name) => /** @type {typeof columns[number]} */ (columns.find((column) => column.name === name))).map((column, index) => {
      const key = sort.replace(/^-/, "");
      const sorted = column.sort === key ? (sort.startsWith("-") ? "descending" : "ascending") : null;
      const label = t(`column.${column.name}`);
      return h("div", {
        role: "columnheader", class: `cell c-${column.name}`, "aria-colindex": index + 1,
        "aria-sort": sorted ?? (column.sort ? "none" : null),
      }, column.sort
        ? h("button", {
          type: "button", class: "sort", tabindex: 0, title: `${label}: ${t("column.sort")}`, click: () => sortBy(column),
        }, label, sorted && h("span", { class: `arrow ${sorted}`, "aria-hidden": "true" }))
        : h("button", { type: "button", class: "sort", title: label }, label), columnEdge(column.name));
    }));
    for (const line of lines) line.arrange(order.order);
    renew();
  }

  columnHandles(head, body, order, words);

  /** @param {{ sort: string | null, large?: boolean }} column */
  function sortBy({ sort, large }) {
    if (!sort) return;
    const now = place().sort;
    const first = large ? `-${sort}` : sort;
    const second = large ? sort : `-${sort}`;
    go({ sort: now === first ? second : now === second && sort !== "start" ? "-start" : first });
  }

  const rowHeight = () => parseFloat(getComputedStyle(body).getPropertyValue("--row")) || 28;
  let height = 28;

  /** Shows the lines again, because the same rows may look different. */
  function renew() {
    for (const line of lines) line.isOld = true;
    schedule();
  }

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
      line.arrange(order.order);
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
      line.show(row, limits, slow, row && noteOf(row.id));
      line.element.style.setProperty("transform", `translateY(${index * height}px)`);
      line.element.setAttribute("aria-rowindex", String(index + 2));
      line.element.hidden = false;
      const isChosen = selection.size > 0 ? row !== undefined && selection.has(row.id) : index === active;
      line.element.setAttribute("aria-selected", String(isChosen));
      line.element.classList.toggle("current", index === active);
      if (row) {
        begin = Math.min(begin, row.start);
        end = Math.max(end, row.start + (row.duration ?? 0));
        longest = Math.max(longest, row.duration ?? 0);
      }
    }
    for (const line of lines) {
      if (line.index < 0) line.hide();
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
    if (rows.waiting > 0 && top < height * 2 && !rows.held) rows.remake();
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
    } else if (rows.error) fill(note, mistake(rows.error, place().filters.text) ?? String(/** @type {Error} */ (rows.error).message));
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
    if (event.target !== body || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key !== "a") return;
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
      j: () => keys.ArrowDown(),
      k: () => keys.ArrowUp(),
      " ": () => toggle(Math.max(0, active)),
      ContextMenu: below,
    };
    /** With the shift key they choose all rows on the way. @type {Record<string, number>} */
    const ways = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + screen, PageUp: active - screen, Home: 0, End: rows.count - 1 };
    const action = isCommand ? all : event.shiftKey && event.key === "F10" ? below
      : event.shiftKey && Object.hasOwn(ways, event.key) ? () => void extend(ways[event.key]) : keys[event.key];
    if (!action) return;
    event.preventDefault();
    // To move without the shift key ends the choice of several.
    if (/^(Arrow|Page|Home|End|j$|k$)/.test(event.key) && !event.shiftKey && !isCommand) unchoose();
    action();
    if (!event.shiftKey && !isCommand && event.key !== " ") selection.anchor = activeID;
  }

  function all() {
    selection.anchor = null;
    void choose(0, rows.count - 1);
  }

  /** The menu of the row, below it. */
  function below() {
    if (active < 0) select(0, false);
    const box = lines.find((line) => line.index === active)?.element.getBoundingClientRect();
    if (box) context(box.left + 60, box.bottom);
  }

  return {
    element,
    rows,
    words,
    order,
    selection,
    /** The row that the keys act on. */
    get active() {
      return active >= 0 ? rows.at(active) : undefined;
    },
    /** The rows that actions are about: those that are chosen, or the one that is active. */
    get subjects() {
      const row = active >= 0 ? rows.at(active) : undefined;
      return selection.size > 0 ? [...selection.rows.values()] : row ? [row] : [];
    },
    all,
    unchoose,
    /** @param {Row[]} come */
    come(come) {
      rows.come(come);
      if (selection.come(come)) chosen();
    },
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
    /** @param {import("./limits.js").Slow} next */
    markSlow(next) {
      slow = next;
      renew();
    },
    /** @param {Limits} next */
    mark(next) {
      if (JSON.stringify(next) === JSON.stringify(limits)) return;
      limits = next;
      renew();
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
    /** @param {boolean} on */
    hold(on) {
      rows.held = on;
      if (!on && rows.waiting > 0) void rows.make();
      schedule();
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
      if (selection.size > 0 && JSON.stringify(where.filters) !== chosenUnder) unchoose();
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
