// The columns of the list: which there are, in which order, how wide, and which are left out. All of it is remembered.

/** Columns, and what each sorts by; numbers sort the largest first at the first click. */
export const columns = [
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

const usual = columns.map(({ name }) => name);

/** Columns that can be left out; the path says which exchange it is, and takes the width that the others leave. */
export const optionalColumns = usual.filter((name) => name !== "path");

export const leastWidth = 36;
export const mostWidth = 640;
const kept = { order: "wireweight.columns", widths: "wireweight.widths" };

/**
 * All columns in the order of a text; what it does not name keeps its usual place after what is before it.
 * @param {string} text
 */
export function orderOf(text) {
  const order = text.split(" ").filter((name, index, all) => usual.includes(name) && all.indexOf(name) === index);
  usual.forEach((name, index) => {
    if (order.includes(name)) return;
    order.splice(index === 0 ? 0 : order.indexOf(usual[index - 1]) + 1, 0, name);
  });
  return order;
}

/**
 * Widths in pixels by names, of a text such as `host:120 type:80`.
 * @param {string} text
 */
export function widthsOf(text) {
  /** @type {Map<string, number>} */
  const widths = new Map();
  for (const pair of text.split(" ")) {
    const [name, width] = pair.split(":");
    if (optionalColumns.includes(name) && Number(width) > 0) widths.set(name, within(Number(width)));
  }
  return widths;
}

/** @param {number} width */
function within(width) {
  return Math.round(Math.min(mostWidth, Math.max(leastWidth, width)));
}

export class Columns {
  order = orderOf(localStorage.getItem(kept.order) ?? "");
  widths = widthsOf(localStorage.getItem(kept.widths) ?? "");

  /**
   * Moves a column to the place of another one.
   * @param {string} name
   * @param {number} to
   */
  move(name, to) {
    const from = this.order.indexOf(name);
    const place = Math.max(0, Math.min(this.order.length - 1, to));
    if (from < 0 || from === place) return false;
    this.order.splice(from, 1);
    this.order.splice(place, 0, name);
    this.keep();
    return true;
  }

  /**
   * Sets the width of a column.
   * @param {string} name
   * @param {number} width
   */
  resize(name, width) {
    if (!optionalColumns.includes(name)) return;
    this.widths.set(name, within(width));
    this.keep();
  }

  /** The usual order and widths. */
  reset() {
    this.order = [...usual];
    this.widths.clear();
    this.keep();
  }

  keep() {
    localStorage.setItem(kept.order, this.order.join(" "));
    localStorage.setItem(kept.widths, [...this.widths].map(([name, width]) => `${name}:${width}`).join(" "));
  }

  /**
   * Shows order and widths in the grid.
   * @param {HTMLElement} grid
   */
  show(grid) {
    grid.style.setProperty("--columns", this.order.map((name) => `var(--w-${name})`).join(" "));
    for (const name of optionalColumns) {
      const width = this.widths.get(name);
      if (width === undefined) grid.style.removeProperty(`--u-${name}`);
      // It gives way where there is no room.
      else grid.style.setProperty(`--u-${name}`, `minmax(${leastWidth}px, ${width}px)`);
    }
  }
}
