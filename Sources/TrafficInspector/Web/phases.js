// Where the time of an exchange went: one drawing, for the list and for the detail.
import { h } from "./dom.js";

/** @param {import("./types.d.ts").Row} row */
const wholeOf = ({ duration, phases }) =>
  Math.max(duration ?? 0, ...phases.map(([, offset, time]) => offset + time), 0.000001);

/**
 * The phases, each with its bar at its place in the whole.
 * @param {import("./types.d.ts").Row} row
 */
export function phaseBars(row) {
  const whole = wholeOf(row);
  return row.phases.map(([name, offset, time]) => {
    const bar = h("i", { class: `ph-${name}` });
    bar.style.setProperty("left", `${((offset / whole) * 100).toFixed(2)}%`);
    bar.style.setProperty("width", `${((time / whole) * 100).toFixed(2)}%`);
    return { name, time, bar };
  });
}
