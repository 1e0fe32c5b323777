// The headers of the columns: dragged to another place, their edges dragged to another width; with keys, too.
import { h, say } from "./dom.js";
import { t } from "./messages.js";
import { optionalColumns } from "./columns.js";

/** How far a pointer moves before a press is a drag. */
const threshold = 5;
const step = 10;

/**
 * Listens to the headers of the columns.
 * @param {HTMLElement} head
 * @param {HTMLElement} grid
 * @param {import("./columns.js").Columns} columns
 * @param {() => void} draw
 */
export function columnHandles(head, grid, columns, draw) {
  /** @type {{ name: string, kind: "move" | "resize", x: number, width: number, isMoving: boolean, pointer: number } | null} */
  let drag = null;
  let dragged = false;

  /** @param {string} name */
  const cellOf = (name) => /** @type {HTMLElement | null} */ (head.querySelector(`[data-column="${name}"]`));

  /** @param {EventTarget | null} target */
  function columnOf(target) {
    const cell = target instanceof Element ? target.closest(".cell") : null;
    return /** @type {HTMLElement | null} */ (cell?.querySelector("[data-column]"))?.dataset.column ?? null;
  }

  /** The place in the order under a pointer. @param {number} x */
  function placeAt(x) {
    const cells = [...head.children];
    const at = cells.findIndex((cell) => {
      const box = cell.getBoundingClientRect();
      return box.width > 1 && x < box.right;
    });
    return at < 0 ? cells.length - 1 : at;
  }

  /** @param {string | null} name */
  function focus(name) {
    /** @type {HTMLElement | null} */ (name && cellOf(name)?.closest(".cell")?.querySelector(".sort"))?.focus({ preventScroll: true });
  }

  head.addEventListener("pointerdown", (event) => {
    const name = columnOf(event.target);
    if (event.button !== 0 || !name) return;
    const isEdge = event.target instanceof Element && event.target.matches(".column-edge");
    const cell = /** @type {Element} */ (cellOf(name)?.closest(".cell"));
    drag = { name, kind: isEdge ? "resize" : "move", x: event.clientX, width: cell.getBoundingClientRect().width, isMoving: false, pointer: event.pointerId };
    dragged = false;
    if (isEdge) event.preventDefault();
  });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const by = event.clientX - drag.x;
    if (!drag.isMoving && Math.abs(by) < (drag.kind === "resize" ? 1 : threshold)) return;
    drag.isMoving = true;
    grid.classList.add(drag.kind === "resize" ? "resizing" : "moving");
    if (drag.kind === "resize") {
      columns.resize(drag.name, drag.width + by);
      columns.show(grid);
      return;
    }
    const to = placeAt(event.clientX);
    [...head.children].forEach((cell, index) => {
      cell.classList.toggle("drop-before", index === to && to < columns.order.indexOf(drag?.name ?? ""));
      cell.classList.toggle("drop-after", index === to && to > columns.order.indexOf(drag?.name ?? ""));
    });
  });
  /** @param {boolean} isDone @param {number} x */
  function end(isDone, x) {
    const was = drag;
    drag = null;
    grid.classList.remove("resizing", "moving");
    for (const cell of head.children) cell.classList.remove("drop-before", "drop-after");
    if (!was?.isMoving) return;
    dragged = true;
    if (isDone && was.kind === "move" && columns.move(was.name, placeAt(x))) draw();
    else if (!isDone && was.kind === "resize") {
      columns.resize(was.name, was.width);
      columns.show(grid);
    }
  }
  addEventListener("pointerup", (event) => end(true, event.clientX));
  addEventListener("pointercancel", () => end(false, 0));
  addEventListener("keydown", (event) => {
    if (!drag?.isMoving || event.key !== "Escape") return;
    end(false, 0);
    event.preventDefault();
    event.stopPropagation();
  }, true);
  // The click after a drag does not sort.
  head.addEventListener("click", (event) => {
    if (!dragged) return;
    dragged = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  head.addEventListener("dblclick", (event) => {
    const name = columnOf(event.target);
    if (!name || !(event.target instanceof Element) || !event.target.matches(".column-edge")) return;
    columns.widths.delete(name);
    columns.keep();
    draw();
  });
  head.addEventListener("keydown", (event) => {
    const name = columnOf(event.target);
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!name || !by || !event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const label = t(`column.${name}`);
    if (event.ctrlKey || event.metaKey) {
      if (columns.move(name, columns.order.indexOf(name) + by)) draw();
      say(t("column.place", { name: label, n: columns.order.indexOf(name) + 1, of: columns.order.length }));
    } else if (optionalColumns.includes(name)) {
      const cell = /** @type {Element} */ (cellOf(name)?.closest(".cell"));
      columns.resize(name, (columns.widths.get(name) ?? cell.getBoundingClientRect().width) + by * step);
      columns.show(grid);
      say(t("column.width", { name: label, n: columns.widths.get(name) ?? 0 }));
    }
    focus(name);
  });
}

/**
 * The right edge of a column's head; the path has the width that is left.
 * @param {string} name
 */
export function columnEdge(name) {
  return h("span", {
    class: optionalColumns.includes(name) ? "column-edge" : "column-name", "data-column": name, "aria-hidden": "true",
    title: optionalColumns.includes(name) ? t("column.edge") : null,
  });
}
