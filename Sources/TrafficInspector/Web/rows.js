// The rows of one view: windows of the server's ordered rows, and the rows that arrived since, before or after them.
import { APIError, get } from "./api.js";
import { matches } from "./matching.js";

/**
 * @typedef {import("./types.d.ts").Row} Row
 * @typedef {import("./types.d.ts").Filters} Filters
 */

const windowSize = 80;
const keptWindows = 150;
/** Milliseconds for which the server searches before it answers with what it has found. */
const patience = 250;
/** The number of rows that may arrive on top of a view before it is made again. */
const mostNew = 5000;

/** The stream's latest rows, whatever the filter: a view that is made meanwhile may lack them. */
class Recent {
  /** @type {Map<number, Row>} */
  rows = new Map();

  /** @param {Row[]} rows */
  add(rows) {
    for (const row of rows) {
      this.rows.delete(row.id);
      this.rows.set(row.id, row);
    }
    for (const id of this.rows.keys()) {
      if (this.rows.size <= 2000) break;
      this.rows.delete(id);
    }
  }
}

export class Rows {
  /** @type {string | null} */
  view = null;
  total = 0;
  truncated = false;
  /** The share of the store that the view's filter has been compared with. */
  searched = 1;
  /** @type {unknown} */
  error = null;
  /** The stream's rows that wait because the view has another order. */
  waiting = 0;
  /** Whether the list is held still: what is new waits. */
  held = false;
  /** Whether only the server can say which of them match. */
  unsure = false;

  /** @type {Filters} */ filters = {};
  sort = "-start";

  /** @type {Map<number, Row[]>} */ #windows = new Map();
  /** @type {Set<number>} */ #loading = new Set();
  /** Rows that are newer than the view, in the order of their arrival. @type {number[]} */ #fresh = [];
  /** @type {Map<number, Row>} */ #changed = new Map();
  #newest = 0;
  /** The numbers of those that wait while the list is held. @type {Set<number>} */ #waits = new Set();
  #recent = new Recent();
  /** @type {AbortController} */ #abort = new AbortController();
  #age = 0;
  /** @type {number | undefined} */ #again;
  #madeAt = 0;
  /** The chosen exchange, whose place the server returns. @type {number | null} */ #wanted = null;
  /** Where it was in the view. @type {{ id: number, index: number } | null} */ #found = null;

  /** @param {(change: { added: number, made: boolean }) => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** Whether new rows can be placed without asking the server. */
  get inOrder() {
    return (this.sort === "start" || this.sort === "-start") && !this.filters.text && !this.filters.process;
  }

  /** Whether an exchange may match only when it ends. */
  get #judgesEnds() {
    const { status, type, failed, slower, connection } = this.filters;
    return Boolean(status || type || failed || slower || connection);
  }

  get count() {
    return this.total + this.#fresh.length;
  }

  /**
   * @param {Filters} filters
   * @param {string} sort
   * @param {number | null} wanted the exchange that is chosen
   * @param {boolean} isMissing whether its place is not known here
   */
  ask(filters, sort, wanted, isMissing) {
    const same = this.sort === sort && JSON.stringify(this.filters) === JSON.stringify(filters);
    this.#wanted = wanted;
    if (same && this.view) {
      if (isMissing) void this.make();
      return;
    }
    this.filters = filters;
    this.sort = sort;
    this.view = null;
    this.error = null;
    void this.make();
  }

  /** Whether more rows may be found. */
  get isSearching() {
    return (this.isEarlier || this.view !== null && this.searched < 1) && this.error === null;
  }

  /** Whether the rows are still those of an earlier filter or order. */
  get isEarlier() {
    return this.view === null && Object.keys(this.filters).length > 0;
  }

  /**
   * Gives the search up; the rows stay those that were found, or, if there are none yet, those of the earlier filter.
   * @param {Error} reason
   */
  stop(reason) {
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#abort.abort();
    this.#age += 1;
    this.error = reason;
    this.changed({ added: 0, made: true });
  }

  /** Makes the view again, and shows the old one until then. */
  async make() {
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#abort.abort();
    this.#abort = new AbortController();
    const age = ++this.#age;
    this.#madeAt = performance.now();
    try {
      const wanted = this.#wanted;
      const { signal } = this.#abort;
      // A view that is made again takes the place of the old one when it is complete.
      const isNew = this.view === null;
      const query = { ...this.filters, sort: this.sort, limit: windowSize, id: wanted, within: patience };
      let page = await get("exchanges", query, signal);
      // The server searches only while the page asks for more, the newest first.
      while (page.searched < 1) {
        if (age !== this.#age) return;
        if (isNew) this.#showPart(page);
        page = await get("exchanges", { more: page.view, limit: windowSize, id: wanted, within: patience }, signal);
      }
      let newest = 0;
      let last = null;
      if (this.sort === "start" && page.total > windowSize) {
        last = Math.floor((page.total - 1) / windowSize);
        const cursor = `${page.view}:${last * windowSize}`;
        last = { at: last, rows: (await get("exchanges", { cursor, limit: windowSize }, this.#abort.signal)).exchanges };
      }
      if (age !== this.#age) return;
      this.view = page.view;
      this.total = page.total;
      this.searched = 1;
      this.#found = wanted !== null && typeof page.index === "number" ? { id: wanted, index: page.index } : null;
      this.truncated = page.truncated;
      this.error = null;
      this.waiting = 0;
      this.#waits.clear();
      this.unsure = false;
      this.#loading.clear();
      this.#windows = new Map([[0, page.exchanges]]);
      if (last) this.#windows.set(last.at, last.rows);
      for (const rows of this.#windows.values()) for (const row of rows) newest = Math.max(newest, row.id);
      this.#newest = newest;
      this.#fresh = [];
      this.#changed = new Map();
      this.#take([...this.#recent.rows.values()], true);
      this.changed({ added: 0, made: true });
    } catch (error) {
      if (age !== this.#age || this.#abort.signal.aborted) return;
      this.error = error;
      this.changed({ added: 0, made: true });
    }
  }

  /**
   * Shows what a search has found so far.
   * @param {any} page
   */
  #showPart(page) {
    const isFirst = this.view !== page.view;
    // By time, rows are only added at the end.
    const kept = !isFirst && this.sort === "-start" ? Math.floor(this.total / windowSize) : 0;
    this.#windows = new Map([...this.#windows].filter(([at]) => at < kept));
    if (kept === 0) this.#windows.set(0, page.exchanges);
    this.#loading.clear();
    this.view = page.view;
    this.total = page.total;
    this.searched = page.searched;
    this.error = null;
    if (isFirst) {
      this.waiting = 0;
      this.#fresh = [];
      this.#changed = new Map();
    }
    this.changed({ added: 0, made: isFirst });
  }

  /** Makes the view again soon, but not more often than every two seconds, and not before a search has ended. */
  remake() {
    if (this.#again !== undefined || this.isSearching) return;
    const wait = Math.max(100, 2000 - (performance.now() - this.#madeAt));
    this.#again = setTimeout(() => void this.make(), wait);
  }

  /** Starts again, because the store was cleared or too much was missed. */
  forget() {
    this.#recent = new Recent();
    void this.make();
  }

  /** @param {Row[]} rows */
  come(rows) {
    this.#recent.add(rows);
    // What arrives during a search is placed when it has ended.
    if (!this.view || this.isSearching) return;
    const added = this.#take(rows, false);
    this.changed({ added, made: false });
    if (this.#fresh.length > mostNew) this.remake();
  }

  /**
   * @param {Row[]} rows
   * @param {boolean} quiet
   */
  #take(rows, quiet) {
    let added = 0;
    for (const row of rows) {
      const shown = this.#changed.has(row.id) || this.#shown(row.id);
      const fits = matches(row, this.filters);
      if (shown) {
        this.#changed.set(row.id, row);
      } else if (fits === false) {
        continue;
      } else if (this.inOrder && (quiet || !this.held) && row.id > this.#newest) {
        this.#fresh.push(row.id);
        this.#changed.set(row.id, row);
        added += 1;
      } else if (!quiet && this.held) {
        if (row.id <= this.#newest && !this.#judgesEnds) continue;
        this.#waits.add(row.id);
        this.waiting = this.#waits.size;
        this.unsure ||= fits === null;
      } else if (!quiet && !this.inOrder) {
        this.waiting += 1;
        this.unsure ||= fits === null;
      } else if (!quiet && this.#judgesEnds) {
        // An older exchange that matches only now that it has ended.
        this.remake();
      }
    }
    return added;
  }

  /** @param {number} id */
  #shown(id) {
    for (const rows of this.#windows.values()) if (rows.some((row) => row.id === id)) return true;
    return false;
  }

  /**
   * The row at an index; undefined until it is read.
   * @param {number} index
   * @returns {Row | undefined}
   */
  at(index) {
    let offset = index;
    if (this.sort === "-start" && this.inOrder) {
      if (index < this.#fresh.length) return this.#changed.get(this.#fresh[this.#fresh.length - 1 - index]);
      offset = index - this.#fresh.length;
    } else if (index >= this.total) {
      return this.#changed.get(this.#fresh[index - this.total]);
    }
    const row = this.#windows.get(Math.floor(offset / windowSize))?.[offset % windowSize];
    return row && (this.#changed.get(row.id) ?? row);
  }

  /**
   * The place of an exchange: among the rows that were read, or as the server reported it.
   * @param {number} id
   */
  indexOf(id) {
    const newestFirst = this.sort === "-start" && this.inOrder;
    const fresh = this.#fresh.indexOf(id);
    if (fresh >= 0) return newestFirst ? this.#fresh.length - 1 - fresh : this.total + fresh;
    for (const [at, rows] of this.#windows) {
      const inside = rows.findIndex((row) => row.id === id);
      if (inside >= 0) return at * windowSize + inside + (newestFirst ? this.#fresh.length : 0);
    }
    if (this.#found?.id === id) return this.#found.index + (newestFirst ? this.#fresh.length : 0);
    return -1;
  }

  /**
   * Reads the windows that contain some rows; at most two at a time.
   * @param {number} from
   * @param {number} to
   */
  need(from, to) {
    if (!this.view) return;
    const ahead = this.sort === "-start" && this.inOrder ? this.#fresh.length : 0;
    const first = Math.floor(Math.max(0, from - ahead) / windowSize);
    const last = Math.floor(Math.min(this.total - 1, to - ahead) / windowSize);
    for (let at = first; at <= last; at += 1) {
      if (this.#windows.has(at)) {
        // The one used last goes last.
        const rows = /** @type {Row[]} */ (this.#windows.get(at));
        this.#windows.delete(at);
        this.#windows.set(at, rows);
      } else if (!this.#loading.has(at) && this.#loading.size < 2) {
        void this.#load(at);
      }
    }
  }

  /**
   * The rows from one index to another, read where they are not known; those that are gone are left out.
   * @param {number} first
   * @param {number} last
   */
  async read(first, last) {
    const view = this.view;
    const ahead = this.sort === "-start" && this.inOrder ? this.#fresh.length : 0;
    /** @type {Map<number, Promise<Row[]>>} */
    const windows = new Map();
    const known = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => this.at(first + place));
    const all = await Promise.all(known.map(async (row, place) => {
      const offset = first + place - ahead;
      if (row || offset < 0 || offset >= this.total) return row;
      const at = Math.floor(offset / windowSize);
      if (!windows.has(at)) {
        windows.set(at, get("exchanges", { cursor: `${view}:${at * windowSize}`, limit: windowSize }).then((page) => page.exchanges, () => []));
      }
      return (await windows.get(at))?.[offset % windowSize];
    }));
    return all.filter((row) => row !== undefined);
  }

  /** @param {number} at */
  async #load(at) {
    const age = this.#age;
    this.#loading.add(at);
    try {
      const query = { cursor: `${this.view}:${at * windowSize}`, limit: windowSize };
      const page = await get("exchanges", query, this.#abort.signal);
      if (age !== this.#age) return;
      this.#loading.delete(at);
      this.#windows.set(at, page.exchanges);
      for (const key of this.#windows.keys()) {
        if (this.#windows.size <= keptWindows) break;
        this.#windows.delete(key);
      }
      this.changed({ added: 0, made: false });
    } catch (error) {
      if (age !== this.#age) return;
      // The view has expired, or the server is gone. Until there is another view, the old one is not asked again.
      if (error instanceof APIError) this.remake();
      else this.#loading.delete(at);
    }
  }
}
