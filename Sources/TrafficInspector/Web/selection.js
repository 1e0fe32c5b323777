// Which rows are chosen, if several are; and what they add up to.

/** @typedef {import("./types.d.ts").Row} Row */

/** The most rows that can be chosen: as many as one request may name. */
export const mostChosen = 1000;

export class Selection {
  /** The rows by their numbers, in the order in which they were chosen. @type {Map<number, Row>} */
  rows = new Map();
  /** The row from which a range begins. @type {number | null} */
  anchor = null;

  get size() {
    return this.rows.size;
  }

  get ids() {
    return [...this.rows.keys()];
  }

  /** @param {number} id */
  has(id) {
    return this.rows.has(id);
  }

  /** Whether there was anything to clear. */
  clear() {
    const had = this.rows.size > 0;
    this.rows = new Map();
    return had;
  }

  /**
   * Adds a row, or takes it away; returns false if there is no room.
   * @param {Row} row
   */
  toggle(row) {
    this.anchor = row.id;
    if (this.rows.delete(row.id)) return true;
    return this.add([row]);
  }

  /**
   * Adds rows; returns false if not all of them have room.
   * @param {Row[]} rows
   */
  add(rows) {
    for (const row of rows) {
      if (this.rows.size >= mostChosen && !this.rows.has(row.id)) return false;
      this.rows.set(row.id, row);
    }
    return true;
  }

  /**
   * The rows alone; returns false if not all of them have room.
   * @param {Row[]} rows
   */
  set(rows) {
    this.rows = new Map();
    return this.add(rows);
  }

  /**
   * Takes what has become of chosen rows; returns whether any of them has changed.
   * @param {Row[]} rows
   */
  come(rows) {
    let changed = false;
    for (const row of rows) {
      if (!this.rows.has(row.id)) continue;
      this.rows.set(row.id, row);
      changed = true;
    }
    return changed;
  }
}

/**
 * The value below which that share of the values is; null of none.
 * @param {number[]} values in any order
 * @param {number} share
 */
export function percentile(values, share) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

/**
 * What rows add up to.
 * @param {Iterable<Row>} rows
 */
export function sumsOf(rows) {
  let [up, down, failures, requests] = [0, 0, 0, 0];
  /** @type {number[]} */ const weights = [];
  /** @type {number[]} */ const times = [];
  for (const row of rows) {
    requests += 1;
    up += row.up ?? 0;
    down += row.down ?? 0;
    if (row.failed) failures += 1;
    weights.push((row.up ?? 0) + (row.down ?? 0));
    if (row.duration !== null) times.push(row.duration);
  }
  return {
    requests, failures, up, down, total: up + down,
    call: { p50: percentile(weights, 0.5), p95: percentile(weights, 0.95) },
    time: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}
